import * as z from 'zod/mini'
import { hourMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef } from '../adapter.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { callReddit } from './api.ts'
import { RedditMetadata, subredditName } from './definition.ts'
import { findOwn } from './listing.ts'
import { neutralPoster } from './poster.ts'
import { bytesAtHand, storedFile, uploadFile } from './upload.ts'

/** The whole submission, and what a probe looks for, whatever the post has become since. */
export const Submission = z.object({
  kind: z.enum(['self', 'link', 'image', 'video']),
  subreddit: z.string(),
  title: z.string(),
  form: z.record(z.string(), z.string()),
})

const preparedMs = hourMs

/** What Reddit asks of each kind beside the fields of all. */
const fieldsOfKind = async (call: PlatformCall, { kind, url }: RedditMetadata): Promise<Record<string, string>> => {
  const [file] = call.post.media
  const poster = call.post.assets['posterMediaAssetId']
  if (kind === 'link') return { url: url ?? '' }
  if (kind === 'self') return {}
  if (!file) throw new PlatformError('invalid', `Reddit posts of kind ${kind} require a file. Attach one.`)
  const source = storedFile(call.ctx, file)
  if (kind === 'image') return { url: await uploadFile(call, source) }
  const picture = poster ? storedFile(call.ctx, poster) : bytesAtHand('image/jpeg', neutralPoster)
  const [video, still] = await Promise.all([uploadFile(call, source), uploadFile(call, picture)])
  return { url: video, video_poster_url: still }
}

/** Uploads the files; what is ready is the whole form of the submission. */
export const prepare = async (call: PlatformCall): Promise<Prepared> => {
  const { ctx, post } = call
  const metadata = z.parse(RedditMetadata, post.metadata)
  const { kind, flairId, flairText, nsfw = false, spoiler = false, sendReplies = true, resubmit = false } = metadata
  const [subreddit, title] = [subredditName(metadata.subreddit), metadata.title.trim()]
  const form = {
    api_type: 'json',
    kind,
    sr: subreddit,
    title,
    ...(await fieldsOfKind(call, metadata)),
    // A text is taken beside links and images, too.
    ...(kind === 'self' || post.text.trim() !== '' ? { text: post.text } : {}),
    sendreplies: String(sendReplies),
    nsfw: String(nsfw),
    spoiler: String(spoiler),
    resubmit: String(resubmit),
    validate_on_submit: 'true',
    ...(flairId ? { flair_id: flairId } : {}),
    ...(flairText ? { flair_text: flairText } : {}),
  }
  const ready: z.infer<typeof Submission> = { kind, subreddit, title, form }
  return { ready, expiresAtMs: ctx.clock.now() + preparedMs }
}

const Submitted = z.object({
  json: z.object({ data: z.object({ url: z.optional(z.string()), name: z.optional(z.string()) }) }),
})

const lookAfterMs = [1_000, 3_000]

/** Images and videos come without an id: they appear among one's own posts once Reddit has worked them up. */
const findAccepted = async (
  call: PlatformCall,
  ref: z.infer<typeof Submission>,
  startedAtMs: number,
): Promise<PublishedPost> => {
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

/** Submits the post. */
export const commit = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const submission = z.parse(Submission, ref)
  const sinceMs = call.ctx.clock.now()
  const request = { path: '/api/submit', form: submission.form, creates: true, totalMs: 15_000, reply: Submitted }
  const { url, name } = (await callReddit(call.ctx, call.account, request)).json.data
  if (name !== undefined && url !== undefined) return { id: name, url }
  return findAccepted(call, submission, sinceMs)
}
