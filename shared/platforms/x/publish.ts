import * as z from 'zod/mini'
import { dayMs, hourMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef } from '../adapter.ts'
import type { PublishedPost } from '../post.ts'
import { callX } from './api.ts'
import { beginUpload, goOn, Upload } from './upload.ts'

/** The body of the one call; also what a probe looks for, whatever the post has become since. */
export const Tweet = z.object({
  text: z.string(),
  mediaIds: z.array(z.string()),
  replyTo: z.optional(z.string()),
})

const Resume = z.object({ uploads: z.array(Upload) })

/** A media id lives a day. */
const preparedMs = 23 * hourMs
const foreverMs = 100 * 365 * dayMs

/** Uploads the media, file by file and in several goes where it is large or X takes its time. */
export const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const { ctx, post } = call
  const uploads = resume === undefined ? [] : [...z.parse(Resume, resume).uploads]
  const waits: number[] = []
  for (const [n, file] of post.media.entries()) {
    const { upload, waitSeconds } = await goOn(call, file, uploads[n] ?? (await beginUpload(call, file)))
    uploads[n] = upload
    if (waitSeconds !== undefined) waits.push(waitSeconds)
  }
  if (waits.length > 0) return { waitSeconds: Math.max(...waits), resume: { uploads } }
  const ready: z.infer<typeof Tweet> = { text: post.text, mediaIds: uploads.map(({ mediaId }) => mediaId) }
  const lastsMs = uploads.length > 0 ? preparedMs : foreverMs
  return { ready, expiresAtMs: ctx.clock.now() + lastsMs }
}

const Created = z.object({ data: z.object({ id: z.string() }) })

export const tweetUrl = (username: string | null, id: string): string =>
  `https://x.com/${username ?? 'i/web'}/status/${id}`

/** Posts the tweet; the schema of X refuses fields it does not know. */
export const commit = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const { text, mediaIds } = z.parse(Tweet, ref)
  const { replyTo } = call.post
  const json = {
    ...(text === '' ? {} : { text }),
    ...(mediaIds.length > 0 ? { media: { media_ids: mediaIds } } : {}),
    ...(replyTo === undefined ? {} : { reply: { in_reply_to_tweet_id: replyTo } }),
  }
  const { data } = await callX(call, { path: '/2/tweets', body: { json }, creates: true, reply: Created })
  return { id: data.id, url: tweetUrl(call.account.username, data.id) }
}
