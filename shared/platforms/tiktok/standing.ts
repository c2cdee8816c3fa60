import * as z from 'zod/mini'
import { minuteMs } from '../../time.ts'
import type { PlatformCall, PreparedRef } from '../adapter.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { callTikTok } from './api.ts'
import { classifyFailReason } from './errors.ts'

/** A publication that TikTok has started: a video by its upload, photos by their list. */
export interface Begun {
  publishId: string
  privacyLevel: string
  kind: 'video' | 'photo'
  /** How many bytes TikTok must receive from us; none for photos, which it fetches. */
  size: number
}

/** The state of a publication. */
type Standing =
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
 * The ID appears when a public post has passed moderation; the wait is limited to this (Content Posting API, Get Post
 * Status).
 */
const moderationMs = 5 * minuteMs

/** IDs exceed JSON's safe integers, TikTok misspells the field, and the list may be a bare number. */
const postId = /"publica?ly_available_post_id"\s*:\s*\[?\s*"?(\d+)/

/** Also queried right after the last chunk, which may have taken most of the half minute. */
const totalMs = 8_000

/** Where a draft ends; what its owner does with it is seldom reported (Content Posting API, Upload, 2026-11). */
const inInbox =
  'It is a draft in the TikTok inbox of the account: its owner must open the notification in the TikTok app and post it.'

const profileUrl = (username: string | null) => (username === null ? null : `https://www.tiktok.com/@${username}`)

/** Queries by the publish ID; `sinceMs` is how long ago the post was sent. */
export const readStanding = async (call: PlatformCall, task: Begun, sinceMs: number): Promise<Standing> => {
  const { ctx, account } = call
  const path = '/v2/post/publish/status/fetch/'
  const json = { publish_id: task.publishId }
  const { data, text } = await callTikTok(ctx, { path, token: tokenOf(account), json, totalMs, reply: Status })
  if (data.status === 'FAILED') return { kind: 'failed', reason: data.fail_reason ?? 'unknown' }
  if (data.status === 'PUBLISH_COMPLETE') {
    const [, id] = postId.exec(text) ?? []
    const profile = profileUrl(account.username)
    if (id !== undefined) return { kind: 'published', id, url: profile && `${profile}/${task.kind}/${id}` }
    const mayCome = task.privacyLevel === 'PUBLIC_TO_EVERYONE' && sinceMs < moderationMs
    return mayCome ? { kind: 'processing' } : { kind: 'published', id: null, url: profile }
  }
  if (data.status === 'SEND_TO_USER_INBOX') return { kind: 'published', id: null, url: null, warning: inInbox }
  const missing = data.status === 'PROCESSING_UPLOAD' && (data.uploaded_bytes ?? task.size) < task.size
  return { kind: missing ? 'incomplete' : 'processing' }
}

const notYet = ({ kind }: Begun, detail: string, ref?: PreparedRef) =>
  new PlatformError('unknown', `TikTok is still processing the ${kind}. It will be live soon.`, {
    detail,
    ...(ref ? { ref } : {}),
  })

/**
 * The outcome of a post that TikTok may have completely; while it is unknown, nothing is sent again. `ref` is what later
 * probes need in addition to the preparation.
 */
export const assertLanded = async (
  call: PlatformCall,
  task: Begun,
  { refusal, ref }: { refusal?: PlatformError; ref?: PreparedRef } = {},
): Promise<PublishedPost> => {
  const standing = await readStanding(call, task, 0).catch((error: unknown) => {
    throw error instanceof PlatformError ? notYet(task, error.message, ref) : error
  })
  if (standing.kind === 'published') {
    const { kind: _, ...post } = standing
    return post
  }
  if (standing.kind === 'failed') throw classifyFailReason(standing.reason, task.kind)
  if (standing.kind === 'incomplete' && refusal) throw refusal
  throw notYet(task, 'processing', ref)
}
