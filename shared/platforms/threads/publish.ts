import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { codePoints } from '../../text/counting.ts'
import { cutText } from '../../text/cut.ts'
import { minuteMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { mediaAddress } from '../files.ts'
import { type ContainerPlan, containerStates, prepareContainers } from '../graph/containers.ts'
import { type Publishing, probeContainer, publishContainer } from '../graph/publish.ts'
import type { OutgoingPost, PublishedPost } from '../post.ts'
import { definition, maxAltText, ThreadsMetadata } from './definition.ts'
import { site } from './site.ts'

/** Failures of media that another try may mend (Threads API, Media Container). */
const passing = /FAILED_DOWNLOADING_VIDEO|UNKNOWN/

const containers: Publishing = {
  site,
  path: '/{user}/threads',
  publishPath: '/{user}/threads_publish',
  listPath: () => '/{user}/threads',
  textField: 'text',
  statusFields: 'id,status,error_message',
  status: z.pipe(
    z.object({ status: z.enum(containerStates), error_message: z.optional(z.string()) }),
    z.transform(({ status: state, error_message: message = '' }) => ({ state, message })),
  ),
  mayPass: (message) => message === '' || passing.test(message),
  timeoutMs: 10 * minuteMs,
}

/** Cut rather than refused: the text beside the image matters less than the post. */
const altOf = ({ altText }: MediaFile) => {
  const alt = cutText(altText ?? '', maxAltText, codePoints)
  return alt === '' ? {} : { alt_text: alt }
}

const fileFields = (ctx: Context, file: MediaFile) => {
  const address = mediaAddress(ctx, file)
  return file.mimeType.startsWith('video/')
    ? { media_type: 'VIDEO', video_url: address, ...altOf(file) }
    : { media_type: 'IMAGE', image_url: address, ...altOf(file) }
}

const optionNames = ['option_a', 'option_b', 'option_c', 'option_d']

/**
 * The fields of the metadata as Threads names them, for the container that is published. The post that a reply answers
 * says who can reply.
 */
const metadataFields = ({ metadata, media, replyTo }: OutgoingPost): Record<string, string> => {
  const { topicTag, replyControl, poll, linkAttachment, quotePostId, textAttachment, isSpoilerMedia } = z.parse(
    ThreadsMetadata,
    metadata ?? {},
  )
  const options = poll?.options.map((option, n) => [optionNames[n], option])
  const { plaintext, linkUrl } = textAttachment ?? {}
  const attached = { plaintext, ...(linkUrl === undefined ? {} : { link_attachment_url: linkUrl }) }
  return {
    ...(topicTag === undefined ? {} : { topic_tag: topicTag }),
    ...(replyControl === undefined || replyTo !== undefined ? {} : { reply_control: replyControl }),
    ...(options === undefined ? {} : { poll_attachment: JSON.stringify(Object.fromEntries(options)) }),
    ...(linkAttachment === undefined ? {} : { link_attachment: linkAttachment }),
    ...(quotePostId === undefined ? {} : { quote_post_id: quotePostId }),
    ...(textAttachment === undefined ? {} : { text_attachment: JSON.stringify(attached) }),
    ...(isSpoilerMedia === true && media.length > 0 ? { is_spoiler_media: 'true' } : {}),
  }
}

const planOf = (ctx: Context, post: OutgoingPost): ContainerPlan => {
  const { text, media } = post
  const reference = { text }
  const said = { ...(text === '' ? {} : { text }), ...metadataFields(post) }
  const [only, ...others] = media
  if (!only) return { items: [{ media_type: 'TEXT', ...said, text }], reference }
  if (others.length === 0) return { items: [{ ...fileFields(ctx, only), ...said }], reference }
  const items = media.map((file) => ({ ...fileFields(ctx, file), is_carousel_item: 'true' }))
  return { items, parent: { media_type: 'CAROUSEL', ...said }, reference }
}

/** Containers made and waited for; nothing of it is public. */
const prepare = (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> =>
  prepareContainers(containers, call, planOf(call.ctx, call.post), resume)

const commit = (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => publishContainer(containers, call, ref)

const probe = (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> =>
  probeContainer(containers, call, attempt)

/** Threads: a container is made before the moment and published at it, and knows for a day whether it was. */
export const threads: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  readLagSeconds: 120,
  prepare,
  commit,
  probe,
}
