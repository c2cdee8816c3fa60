import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { type Containers, keepMedia, type StoredContainer } from '../graph/containers.ts'
import { fetchMedia } from '../graph/fetch-media.ts'
import { inJson, readForm, tokenIn } from '../graph/read.ts'
import { assertPermission, refuse, unknownObject } from '../graph/refuse.ts'
import type { GraphTokens } from '../graph/tokens.ts'
import type { Call, SimulatorContext } from '../standin.ts'
import { countText } from './count-text.ts'
import type { ThreadsPerson } from './seed.ts'

const text = z.optional(z.string())
const alt_text = z.optional(z.string().check(z.maxLength(1000)))
const is_carousel_item = z.optional(z.literal('true'))

const option = z.string().check(z.minLength(1), z.maxLength(25))

/** What any post may say (Threads API, Posts, 2026-04-14; Reply management, 2026-02-13). */
const anywhere = {
  topic_tag: z.optional(z.string().check(z.minLength(1), z.maxLength(50), z.regex(/^[^.&]+$/))),
  reply_control: z.optional(
    z.enum(['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only']),
  ),
  quote_post_id: z.optional(z.string().check(z.regex(/^\d+$/))),
  reply_to_id: z.optional(z.string()),
}
/** Polls, Text attachments, 2026-07-02. */
const onText = {
  poll_attachment: inJson(
    z.strictObject({ option_a: option, option_b: option, option_c: z.optional(option), option_d: z.optional(option) }),
  ),
  link_attachment: z.optional(z.url()),
  text_attachment: inJson(
    z.strictObject({
      plaintext: z.string().check(z.minLength(1), z.maxLength(10_000)),
      link_attachment_url: z.optional(z.url()),
    }),
  ),
}
/** Spoilers, 2026-07-02. */
const onMedia = { is_spoiler_media: z.optional(z.enum(['true', 'false'])) }
const single = { text, alt_text, is_carousel_item, ...anywhere, ...onMedia }

/** The fields of a container (Threads API, Create a container, 2026-04-14). */
const Form = z.discriminatedUnion('media_type', [
  z.strictObject({ media_type: z.literal('TEXT'), text: z.string(), ...anywhere, ...onText }),
  z.strictObject({ media_type: z.literal('IMAGE'), image_url: z.string(), ...single }),
  z.strictObject({ media_type: z.literal('VIDEO'), video_url: z.string(), ...single }),
  z.strictObject({ media_type: z.literal('CAROUSEL'), children: z.string(), text, ...anywhere, ...onMedia }),
])
type Form = z.infer<typeof Form>

const linksOf = (form: Form): string[] =>
  form.media_type === 'TEXT'
    ? [form.link_attachment, form.text_attachment?.link_attachment_url].flatMap((link) => link ?? [])
    : []

function checkAttachments(form: Form): void {
  if (form.media_type !== 'TEXT' || form.text_attachment === undefined) return
  if (form.poll_attachment !== undefined) refuse({ code: 100, message: 'A text attachment takes no poll.' })
  if (linksOf(form).length > 1) refuse({ code: 100, message: 'Only one link attachment is allowed.' })
}

/** The poll, the attachments, and who may reply, one line each. */
function extrasOf(form: Form): string[] {
  const { topic_tag: topic, reply_control: control, quote_post_id: quoted } = form
  const { poll_attachment: poll, link_attachment: link, text_attachment: long } = form.media_type === 'TEXT' ? form : {}
  const spoiler = form.media_type !== 'TEXT' && form.is_spoiler_media === 'true'
  return [
    ...(topic ? [`topic: ${topic}`] : []),
    ...(control ? [`replies: ${control}`] : []),
    ...(quoted ? [`quotes ${quoted}`] : []),
    ...(poll ? [`poll: ${Object.values(poll).join(' | ')}`] : []),
    ...(link ? [`link: ${link}`] : []),
    ...(long ? [`long text: ${long.plaintext} ${long.link_attachment_url ?? ''}`.trim()] : []),
    ...(spoiler ? ['spoiler'] : []),
  ]
}

const imageBytes = 8 * 1024 * 1024
const videoBytes = 1024 ** 3
/** How long after its publication a post can be replied to; the documentation states no time. */
const shownAfterMs = 3_000
/** How long before its publication the container of a reply with a video is made (Create Replies, 2025-12-22). */
const videoReplyMs = 30_000
/** How long Threads takes, as far as it was measured. */
const processingMs = { TEXT: 0, IMAGE: 4_000, VIDEO: 40_000, CAROUSEL: 3_000 } as const

function checkText(written: string, attached: readonly string[]): void {
  if (countText(written) > 500) refuse({ code: 100, message: '(#100) Param text must be at most 500 characters long.' })
  // With and without a scheme; Threads treats a name that begins with `www.` as a link.
  const links = new Set(
    [...(written.match(/(?:https?:\/\/|\bwww\.)\S+/g) ?? []), ...attached].map((link) =>
      link.replace(/^https?:\/\//, ''),
    ),
  )
  if (links.size > 5) refuse({ code: 100, message: 'THREADS_API__LINK_LIMIT_EXCEEDED' })
}

/** Creates containers: fetches their media, and checks it as Threads does. */
export function openMaker(context: SimulatorContext, containers: Containers, tokens: GraphTokens<ThreadsPerson>) {
  /** A container's reference to its parent, which has been public for a while. */
  function replyOf(call: Call, { media_type, reply_to_id: replyTo }: Form) {
    if (replyTo === undefined) return {}
    assertPermission(tokens.scopeOf(tokenIn(call)), 'threads_manage_replies')
    const now = context.clock.now()
    const parent = containers.posts.get(replyTo)
    if (parent === undefined || now < parent.publishedAt + shownAfterMs) {
      return refuse({ code: 24, subcode: 4279009, message: 'Media Not Found' })
    }
    return { replyTo, ...(media_type === 'VIDEO' ? { repliesFrom: now + videoReplyMs } : {}) }
  }

  function childrenOf(ids: readonly string[], { id: account }: ThreadsPerson): StoredContainer[] {
    if (ids.length < 2 || ids.length > 20) refuse({ code: 100, message: 'A carousel needs 2 to 20 children.' })
    return ids.map((id) => {
      const child = containers.find(id)
      if (child?.account !== account || !child.isItem) return refuse(unknownObject(id))
      if (containers.stateOf(child) === 'FINISHED') return child
      return refuse({ code: 24, subcode: 4279009, message: 'Media Not Found' })
    })
  }

  async function fetchFile(type: 'IMAGE' | 'VIDEO', address: string, alt: string) {
    const file = await fetchMedia(address)
    if (file.kind === 'unreachable') {
      if (type === 'VIDEO') return { media: [], failure: 'FAILED_DOWNLOADING_VIDEO' }
      return refuse({ code: 100, message: `The media could not be fetched from this URI: ${file.why}` })
    }
    const media = [keepMedia(context, file, alt)]
    if (type === 'VIDEO') {
      const taken = file.type.startsWith('video/') && file.bytes.length <= videoBytes
      return { media, failure: taken ? null : 'FAILED_PROCESSING_VIDEO' }
    }
    if (!/^image\/(jpeg|png)$/.test(file.type) || file.bytes.length > imageBytes) {
      return refuse({ code: 100, message: `Only photo of JPEG or PNG up to 8 MB is accepted, not ${file.type}` })
    }
    const aspect = file.aspect ?? 1
    return { media, failure: aspect > 10 || aspect < 0.1 ? 'INVALID_ASPEC_RATIO' : null }
  }

  return async function make(call: Call, person: ThreadsPerson): Promise<Answer> {
    const form = readForm(call, Form)
    checkText(form.text ?? '', linksOf(form))
    checkAttachments(form)
    const made = {
      account: person.id,
      type: form.media_type,
      text: form.text ?? '',
      isItem: false,
      media: [],
      failure: null,
      extras: extrasOf(form),
      ...replyOf(call, form),
    }
    const after = processingMs[form.media_type]
    const answer = ({ id }: StoredContainer): Answer => ({ status: 200, body: { id } })
    if (form.media_type === 'TEXT') return answer(containers.add(made, after))
    if (form.media_type === 'CAROUSEL') {
      const children = childrenOf(form.children.split(','), person)
      return answer(containers.add({ ...made, media: children.flatMap(({ media }) => media) }, after))
    }
    const address = form.media_type === 'IMAGE' ? form.image_url : form.video_url
    const fetched = await fetchFile(form.media_type, address, form.alt_text ?? '')
    return answer(containers.add({ ...made, ...fetched, isItem: form.is_carousel_item === 'true' }, after))
  }
}
