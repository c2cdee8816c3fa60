import * as z from 'zod/mini'
import { minuteMs } from '../../time.ts'
import type { PlatformCall } from '../adapter.ts'
import { tokenOf } from '../oauth.ts'
import type { PublishedPost } from '../post.ts'
import { callTikTok } from './api.ts'
import type { Task } from './upload.ts'

/** Where a publication stands. */
export type Standing =
  | ({ kind: 'published' } & PublishedPost)
  | { kind: 'processing' }
  /** Not all bytes have arrived. */
  | { kind: 'incomplete' }
  | { kind: 'failed'; reason: string }

const Status = z.object({
  status: z.string(),
  fail_reason: z.optional(z.string()),
  uploaded_bytes: z.optional(z.number()),
})

/**
 * The id shows up when a public post has passed moderation; waited for no longer than this (Content Posting API, Get
 * Post Status).
 */
const moderationMs = 5 * minuteMs

/** Ids are larger than JSON's numbers hold, TikTok misspells the field, and the list may be a bare number. */
const postId = /"publica?ly_available_post_id"\s*:\s*\[?\s*"?(\d+)/

/** Asked right after the last chunk as well, which may have taken half a minute of the one there is. */
const totalMs = 8_000

const profileUrl = (username: string | null) => (username === null ? null : `https://www.tiktok.com/@${username}`)

/** Asks by the publish id; `sinceMs` is how long ago the video was sent. */
export const readStanding = async (call: PlatformCall, task: Task, sinceMs: number): Promise<Standing> => {
  const { ctx, account } = call
  const path = '/v2/post/publish/status/fetch/'
  const json = { publish_id: task.publishId }
  const { data, text } = await callTikTok(ctx, { path, token: tokenOf(account), json, totalMs, reply: Status })
  if (data.status === 'FAILED') return { kind: 'failed', reason: data.fail_reason ?? 'unknown' }
  if (data.status === 'PUBLISH_COMPLETE') {
    const [, id] = postId.exec(text) ?? []
    const profile = profileUrl(account.username)
    if (id !== undefined) return { kind: 'published', id, url: profile && `${profile}/video/${id}` }
    const mayCome = task.privacyLevel === 'PUBLIC_TO_EVERYONE' && sinceMs < moderationMs
    return mayCome ? { kind: 'processing' } : { kind: 'published', id: null, url: profile }
  }
  const missing = data.status === 'PROCESSING_UPLOAD' && (data.uploaded_bytes ?? task.size) < task.size
  return { kind: missing ? 'incomplete' : 'processing' }
}
