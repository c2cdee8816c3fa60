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
import {
  type ContainerPlan,
  containerStates,
  prepareContainers,
  startWaiting,
  Waiting,
  waitForMedia,
} from '../graph/containers.ts'
import { type Publishing, probeContainer, publishContainer } from '../graph/publish.ts'
import { removalAt } from '../graph/remove.ts'
import { classified, commonErrors } from '../platform-error.ts'
import type { OutgoingPost, PublishedPost } from '../post.ts'
import { definition, maxAltText, ThreadsMetadata } from './definition.ts'
import { deletionNotPermitted, isNotPermitted, isNotShown, repliesNotPermitted } from './errors.ts'
import { site } from './site.ts'

/** Failures of media that another try may resolve (Threads API, Media Container). */
const passing = /FAILED_DOWNLOADING_VIDEO|UNKNOWN/

const containers: Publishing = {
  site,
  path: '/{user}/threads',
  publishPath: '/{user}/threads_publish',
  // Replies are in their own list (Threads API, Reply Management, 2026-02-13).
  listPath: ({ replyTo }) => (replyTo === undefined ? '/{user}/threads' : '/{user}/replies'),
  textField: 'text',
  statusFields: 'id,status,error_message',
  status: z.pipe(
    z.object({ status: z.enum(containerStates), error_message: z.optional(z.string()) }),
    z.transform(({ status: state, error_message: message = '' }) => ({ state, message })),
  ),
  isUnseen: isNotShown,
  mayPass: (message) => message === '' || passing.test(message),
  timeoutMs: 10 * minuteMs,
}

/** Truncated rather than rejected: the alt text matters less than the post. */
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
 * The fields of the metadata and of a reply in Threads' format, for the container that is published. The parent of a reply
 * decides who can reply.
 */
const postFields = ({ metadata, media, replyTo }: OutgoingPost): Record<string, string> => {
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
    ...(replyTo === undefined ? {} : { reply_to_id: replyTo }),
    ...(isSpoilerMedia === true && media.length > 0 ? { is_spoiler_media: 'true' } : {}),
  }
}

const planOf = (ctx: Context, post: OutgoingPost): ContainerPlan => {
  const { text, media, replyTo } = post
  const reference = { text, ...(replyTo === undefined ? {} : { replyTo }) }
  const said = { ...(text === '' ? {} : { text }), ...postFields(post) }
  const [only, ...others] = media
  if (!only) return { items: [{ media_type: 'TEXT', ...said, text }], reference }
  if (others.length === 0) return { items: [{ ...fileFields(ctx, only), ...said }], reference }
  const items = media.map((file) => ({ ...fileFields(ctx, file), is_carousel_item: 'true' }))
  return { items, parent: { media_type: 'CAROUSEL', ...said }, reference }
}

const prepareOnce = (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> =>
  prepareContainers(containers, call, planOf(call.ctx, call.post), resume)

/** How long before its publication the container of a reply with a video is made (Threads API, Create Replies, 2025-12-22). */
const videoReplyMs = 30_000

/** The parent of a reply: no container is created before Threads shows it. */
const ReplyProgress = z.extend(Waiting, { made: z.optional(z.array(z.string())) })

/**
 * A reply waits for its parent as other posts wait for media: Threads shows a new post after some seconds. Its documentation
 * states neither how many, nor the error before that.
 */
const prepareReply = async (call: PlatformCall, resume: PreparedRef): Promise<Prepared> => {
  const progress = z.parse(ReplyProgress, resume)
  const waitedMs = call.ctx.clock.now() - progress.sinceMs
  try {
    const done = await prepareOnce(call, progress.made === undefined ? undefined : resume)
    const leftMs = call.post.media.some(({ mimeType }) => mimeType.startsWith('video/')) ? videoReplyMs - waitedMs : 0
    if ('resume' in done || leftMs <= 0) return done
    return { waitSeconds: Math.ceil(leftMs / 1000), resume }
  } catch (error) {
    if (isNotPermitted(error)) throw classified(definition.name, repliesNotPermitted, error.info)
    if (!isNotShown(error)) throw error
    if (waitedMs > containers.timeoutMs) throw classified(definition.name, commonErrors.parentNotShown, error.info)
    return waitForMedia(containers, call, { ...resume, ...progress })
  }
}

/** Creates containers and waits for them; nothing of it is public. */
const prepare = (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> =>
  call.post.replyTo === undefined ? prepareOnce(call, resume) : prepareReply(call, resume ?? startWaiting(call))

const commit = (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => publishContainer(containers, call, ref)

const probe = (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> =>
  probeContainer(containers, call, attempt)

const removal = removalAt(site, isNotShown)

/** Deletes the post. Accounts that were connected before this service requested the permission lack it. */
const remove = (call: PlatformCall, id: string): Promise<void> =>
  removal(call, id).catch((error: unknown) => {
    throw isNotPermitted(error) ? classified(definition.name, deletionNotPermitted, error.info) : error
  })

/** Threads: a container is created before the post's time and published at it, and shows for a day whether it was. */
export const threads: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  readLagSeconds: 120,
  prepare,
  commit,
  commentCalls: 'reply',
  remove,
  probe,
}
