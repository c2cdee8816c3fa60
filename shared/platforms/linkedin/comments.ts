import * as z from 'zod/mini'
import type { PlatformCall, PublishingCalls, UnconfirmedAttempt } from '../adapter.ts'
import { unclearResponse } from '../http.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { askLinkedIn, callLinkedIn } from './api.ts'
import { definition } from './definition.ts'
import { clockSkewMs, postOf } from './errors.ts'
import { isPage } from './metadata.ts'

const Comment = z.object({
  id: z.optional(z.string()),
  commentUrn: z.optional(z.string()),
  actor: z.optional(z.string()),
  message: z.optional(z.object({ text: z.optional(z.string()) })),
  created: z.optional(z.object({ time: z.optional(z.number()) })),
})
type Comment = z.infer<typeof Comment>
const Comments = z.object({ elements: z.array(Comment) })

const path = '/rest/socialActions/{urn}/comments'
/** As of posts. The document names no maximum (Comments API, version 202607). */
const pageSize = '100'

const landed = (post: string, { id, commentUrn }: Pick<Comment, 'id' | 'commentUrn'>): PublishedPost => {
  const { url } = postOf(post)
  return {
    id: commentUrn ?? id ?? null,
    url: commentUrn === undefined ? url : `${url}?commentUrn=${encodeURIComponent(commentUrn)}`,
  }
}

const rejected = (error: unknown): unknown =>
  error instanceof PlatformError && error.errorClass === 'invalid'
    ? new PlatformError('invalid', `LinkedIn rejected the comment: ${error.info.detail}`, error.info)
    : error

/** A repeat creates a second comment: a lost one is searched among all comments, which apps may read for pages only. */
export const commentCalls: PublishingCalls = {
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  findsByContent: () => true,
  async commit({ ctx, account, post }) {
    const urn = post.replyTo ?? ''
    const json = { actor: account.externalId, object: urn, message: { text: post.text } }
    const request = { token: tokenOf(account), path, params: { urn }, json, creates: true }
    const { status, headers, body } = await callLinkedIn(ctx, request).catch((error: unknown) => {
      throw rejected(error)
    })
    if (status !== 201) throw unclearResponse({ platform: definition, creates: true }, `HTTP ${status}`, status)
    const { id = headers['x-restli-id'], commentUrn } = z.safeParse(Comment, body).data ?? {}
    return landed(urn, { id, commentUrn })
  },
  async probe({ ctx, account, post }: PlatformCall, attempt: UnconfirmedAttempt) {
    const actor = account.externalId
    if (!isPage(actor)) return { kind: 'unprovable' }
    const urn = post.replyTo ?? ''
    const { fromMs } = windowOf(attempt, clockSkewMs)
    const seen = await lookBack<Comment, number>({
      clock: ctx.clock,
      fromMs,
      async read(start = 0) {
        const query = { start: String(start), count: pageSize }
        const request = { token: tokenOf(account), path, params: { urn }, query, totalMs: pageMs, reply: Comments }
        const { elements } = await askLinkedIn(ctx, request)
        // Their order is not documented: only the end of the list proves that a comment is absent.
        const since = elements.filter(({ created }) => !((created?.time ?? Number.NaN) < fromMs))
        return { items: since, next: elements.length === 0 ? undefined : start + elements.length }
      },
      atMs: ({ created }) => created?.time ?? Number.NaN,
      isOurs: (comment) => comment.actor === actor && comment.message?.text?.trim() === post.text.trim(),
    })
    return seen.kind === 'found' ? { kind: 'published', ...landed(urn, seen.items[0]) } : seen
  },
}
