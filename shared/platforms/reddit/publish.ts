import * as z from 'zod/mini'
import { hourMs, minuteMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { lookBack, windowOf } from '../look-back.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { edited } from '../removal.ts'
import { callReddit, clockSkewMs, maxPages, pageSize } from './api.ts'
import { commentCalls } from './comments.ts'
import { definition, RedditMetadata, subredditName } from './definition.ts'
import { bytesAtHand, storedFile, uploadFile } from './upload.ts'

const Post = z.object({
  name: z.string(),
  title: z.string(),
  subreddit: z.string(),
  permalink: z.string(),
  created_utc: z.number(),
})
const Listed = z.object({
  data: z.object({ children: z.array(z.object({ data: Post })), after: z.nullish(z.string()) }),
})

/** What is searched for among the account's posts. */
interface OwnPost {
  subreddit: string
  title: string
}

/** Looks for a post among the account's own since an attempt, newest first. */
const findOwn = async (
  { ctx, account }: PlatformCall,
  { subreddit, title }: OwnPost,
  attempt: Pick<UnconfirmedAttempt, 'startedAtMs' | 'firstStartedAtMs'>,
): Promise<ProbeResult> => {
  const query = { limit: pageSize, sort: 'new' }
  const seen = await lookBack<z.infer<typeof Post>, string>({
    clock: ctx.clock,
    fromMs: windowOf(attempt, clockSkewMs).fromMs,
    maxPages,
    async read(after) {
      const { data } = await callReddit(ctx, account, {
        path: '/user/{name}/submitted',
        params: { name: account.username ?? '' },
        query: after === undefined ? query : { ...query, after },
        totalMs: 5_000,
        reply: Listed,
      })
      return { items: data.children.map((child) => child.data), next: data.after ?? undefined }
    },
    // Reddit returns whole seconds.
    atMs: ({ created_utc: seconds }) => seconds * 1000,
    isOurs: (post) => post.title === title && post.subreddit.toLowerCase() === subreddit.toLowerCase(),
  })
  if (seen.kind !== 'found') return seen
  const [{ name, permalink }] = seen.items
  return { kind: 'published', id: name, url: `https://www.reddit.com${permalink}` }
}

/**
 * The image for a video whose author names none: Reddit accepts no video without one (submit, `video_poster_url`). A dark
 * scene of 640 x 360 pixels with a play icon, made for this repository; a JPEG in base64.
 */
const base64 = [
  '/9j/2wBDABAQEBAREBIUFBIZGxgbGSUiHx8iJTgoKygrKDhVNT41NT41VUtbSkVKW0uHal5eaoecg3yDnL2pqb3u4u7/////2wBDARAQEBAREB',
  'IUFBIZGxgbGSUiHx8iJTgoKygrKDhVNT41NT41VUtbSkVKW0uHal5eaoecg3yDnL2pqb3u4u7/////wgARCAFoAoADASIAAhEBAxEB/8QAGwAB',
  'AAIDAQEAAAAAAAAAAAAAAAIDAQQFBgf/xAAVAQEBAAAAAAAAAAAAAAAAAAAAAf/aAAwDAQACEAMQAAAA8sLAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADN1U52Br42Rqr6TAAAAA',
  'AAAAAAAAAAAAAAgAAAAAAAAAAAAAAABKOzTIFlYAxka8dnWAAAAAAAAAAAAAAAAAAgAAAAAAAAAAAAAAACy6E6A9lz+l0T55H3flzmAU3QKAAA',
  'AAAAAAAAAAAAAABAAAAAAAAAAAAAAAAF84ToD2nR53RDV8uW8cEJwKAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAFl2rs1kHsufwayUQAU26wA',
  'AAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAJRVs51riYAGI0mYgAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAZzFUsYAAAAAAAAAAAAAAAAAAA',
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB//8QALhAA',
  'AgADBgQFBAMAAAAAAAAAAQIAAxEEBRIgMWAQITKCIjVBUbIVI1KgM0Jy/9oACAEBAAE/AP1JgCYwN7Rgb2ggjZYBOkBANcpQGCCNdkKuIwAAM5',
  'AMMpU7HUUHFpUxURyhCNofQ5mFRsaWOdcl2Iky7ZKuoYHFUH/Ri2XJq9mPYYdGRirKQRqDlmChrsWX05Lp8vkd3yPC1WKRalpMXn6MNRFsuufZ',
  'asPHL/IZJnTsVOkZLp8vkd3yOS9fp+P7H8n9sPTxfpOxZfTkuny+R3fI8LVbZFlWsxufoo1MWy9LRaqqPBL/ABGSZ07FlnnTJdjpLu2SzsFUYq',
  'nuMWy+9Usw7zDuzsWZiSdScsw1NNjKaji02YyIhclF0HoMzGg2OrYTAIIzkgQzFjsgEjSA4OUuBBJOuywSIxt7xjb3gkn9Sf8A/8QAFBEBAAAA',
  'AAAAAAAAAAAAAAAAkP/aAAgBAgEBPwBmP//EABQRAQAAAAAAAAAAAAAAAAAAAJD/2gAIAQMBAT8AZj//2Q==',
]

const neutralPoster: Uint8Array = Buffer.from(base64.join(''), 'base64')

/** The whole submission. A probe also looks for this, whatever the post has become since. */
const Submission = z.object({
  kind: RedditMetadata.shape.kind,
  subreddit: z.string(),
  title: z.string(),
  form: z.optional(z.record(z.string(), z.string())),
  /** Of a poll or a gallery, instead of a form. */
  json: z.optional(z.record(z.string(), z.unknown())),
})
type Submission = z.infer<typeof Submission>

const preparedMs = hourMs

/** What Reddit requires of each kind, in addition to the common fields. */
const fieldsOfKind = async (
  call: PlatformCall,
  { kind, url, crosspostFullname }: RedditMetadata,
): Promise<Record<string, string>> => {
  const [file] = call.post.media
  const poster = call.post.assets['posterMediaAssetId']
  if (kind === 'link') return { url: url ?? '' }
  if (kind === 'crosspost') return { crosspost_fullname: crosspostFullname ?? '' }
  if (kind === 'self') return {}
  if (!file) throw new PlatformError('invalid', `Reddit posts of kind ${kind} require a file. Attach one.`)
  const source = storedFile(call.ctx, file)
  if (kind === 'image') return { url: (await uploadFile(call, source)).url }
  const image = poster ? storedFile(call.ctx, poster) : bytesAtHand('image/jpeg', neutralPoster)
  const [video, still] = await Promise.all([uploadFile(call, source), uploadFile(call, image)])
  return { url: video.url, video_poster_url: still.url }
}

/** The uploaded images of a gallery, by their IDs. */
const Uploads = z.object({ ids: z.array(z.string()) })

/** The amount of one upload phase: at least one file, and it must end well within a minute. */
const phaseBytes = 60_000_000

/** Uploads the images of a gallery that are not yet, some at a time. */
const uploadSome = async (call: PlatformCall, uploaded: readonly string[]): Promise<string[]> => {
  const ids = [...uploaded]
  let left = phaseBytes
  for (const file of call.post.media.slice(ids.length)) {
    if (file.fileSize > left) break
    left -= file.fileSize
    const { id } = await uploadFile(call, storedFile(call.ctx, file))
    if (id === undefined) throw new PlatformError('transient', 'Reddit returned no ID for the image.')
    ids.push(id)
  }
  return ids
}

/** Uploads the files; the result is the whole body of the submission. */
const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const { ctx, post } = call
  const metadata = z.parse(RedditMetadata, post.metadata)
  const { kind, flairId, flairText, nsfw = false, spoiler = false, sendReplies = true, resubmit = false } = metadata
  const ready = (submission: Submission): Prepared => ({
    ready: submission,
    expiresAtMs: ctx.clock.now() + preparedMs,
  })
  const [subreddit, title] = [subredditName(metadata.subreddit), metadata.title.trim()]
  const flair = { ...(flairId ? { flair_id: flairId } : {}), ...(flairText ? { flair_text: flairText } : {}) }
  const sent = { subreddit, title, kind }
  const marks = { nsfw, spoiler, sendreplies: sendReplies, validate_on_submit: true }
  const ofAll = { api_type: 'json', sr: subreddit, title, ...marks, ...flair }
  if (metadata.poll) {
    const { options, durationDays: duration } = metadata.poll
    return ready({ ...sent, json: { ...ofAll, text: post.text, options, duration, resubmit } })
  }
  if (metadata.format === 'gallery') {
    const ids = await uploadSome(call, resume === undefined ? [] : z.parse(Uploads, resume).ids)
    if (ids.length < post.media.length) return { waitSeconds: 1, resume: { ids } }
    const { captions = [] } = metadata
    const items = ids.map((id, n) => ({ media_id: id, caption: captions[n] ?? '', outbound_url: '' }))
    const text = post.text.trim() === '' ? {} : { text: post.text }
    return ready({ ...sent, json: { ...ofAll, ...text, items, show_error_list: true } })
  }
  const form = {
    api_type: 'json',
    kind,
    sr: subreddit,
    title,
    ...(await fieldsOfKind(call, metadata)),
    // A text is also accepted with links and images, but not with a crosspost.
    ...(kind === 'self' || (kind !== 'crosspost' && post.text.trim() !== '') ? { text: post.text } : {}),
    sendreplies: String(sendReplies),
    nsfw: String(nsfw),
    spoiler: String(spoiler),
    ...(kind === 'crosspost' ? {} : { resubmit: String(resubmit), validate_on_submit: 'true' }),
    ...flair,
  }
  return ready({ ...sent, form })
}

const Submitted = z.object({
  json: z.object({
    data: z.object({ url: z.optional(z.string()), name: z.optional(z.string()), id: z.optional(z.string()) }),
  }),
})

const lookAfterMs = [1_000, 3_000]

/** Images and videos arrive without an ID: they appear among the account's posts once Reddit has processed them. */
const findAccepted = async (call: PlatformCall, ref: Submission, startedAtMs: number): Promise<PublishedPost> => {
  for (const waitMs of lookAfterMs) {
    await call.ctx.clock.sleep(waitMs)
    const seen = await findOwn(call, ref, { startedAtMs }).catch((error: unknown) => {
      if (error instanceof PlatformError) return undefined
      throw error
    })
    if (seen?.kind === 'published') return { id: seen.id, url: seen.url }
  }
  throw new PlatformError('unknown', 'Reddit accepted the file and does not show the post yet.')
}

const pathOf = (json: Readonly<Record<string, unknown>>) =>
  'items' in json ? '/api/submit_gallery_post.json' : '/api/submit_poll_post'

/** Submits the post. */
const commit = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const submission = z.parse(Submission, ref)
  const sinceMs = call.ctx.clock.now()
  const { form, json } = submission
  const path = json === undefined ? '/api/submit' : pathOf(json)
  const request = { path, form, json, creates: true, totalMs: 15_000, reply: Submitted }
  const { url, id, ...data } = (await callReddit(call.ctx, call.account, request)).json.data
  // The response to a poll or a gallery has the full name as its ID.
  const name = data.name ?? (id?.startsWith('t3_') ? id : undefined)
  if (name !== undefined && url !== undefined) return { id: name, url }
  return findAccepted(call, submission, sinceMs)
}

/** How long Reddit may process a file; a post that has not appeared by then never will (Reddit API, submit). */
const workMs = 10 * minuteMs

const gone = () =>
  new PlatformError('invalid', 'Reddit did not accept the media file: no post appeared within ten minutes.')

/** Looks for the post among the account's own since the attempt. */
const probe = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const submission = z.parse(Submission, attempt.ref)
  const seen = await findOwn(call, submission, attempt)
  if (seen.kind !== 'absent') return seen
  const { kind, json } = submission
  // A file may still be processing: sending it again would show it twice. For a gallery, the response contains the post.
  const inWork = call.ctx.clock.now() - attempt.startedAtMs < workMs
  if (inWork && json === undefined && (kind === 'image' || kind === 'video')) return { kind: 'unclear' }
  return kind === 'video' ? { kind: 'rejected', error: gone() } : seen
}

/** Deletes the post. Reddit returns the same for a missing one (Reddit API, del, 2026-11-27: scope `edit`). */
const remove = async ({ ctx, account }: PlatformCall, id: string): Promise<void> => {
  await callReddit(ctx, account, { path: '/api/del', form: { id }, reply: z.unknown() })
}

/** Changes the text of a post of the kind `self` (Reddit API, editusertext, 2026-11-27: scope `edit`). */
const edit = async ({ ctx, account, post }: PlatformCall, id: string): Promise<void> => {
  const form = { api_type: 'json', thing_id: id, text: post.text }
  const sent = callReddit(ctx, account, { path: '/api/editusertext', form, reply: z.unknown() })
  // For a deleted post Reddit returns 403, and for one that never existed NOT_AUTHOR (Reddit source, POST_editusertext).
  await edited(sent, definition.name, ({ code, httpStatus }, errorClass) => {
    return errorClass === 'invalid' && (code === 'NOT_AUTHOR' || httpStatus === 403)
  })
}

/** Reddit: a lost post is searched among the account's posts. */
export const reddit: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  prepare,
  commit,
  findsByContent: ({ media }) => media.length === 0,
  commentCalls,
  remove,
  edit,
  probe,
}
