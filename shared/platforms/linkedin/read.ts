import * as z from 'zod/mini'
import type { PlatformCall, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { askLinkedIn, callLinkedIn } from './api.ts'
import { postOf } from './errors.ts'

/** Only posts of pages can be read; members let apps write alone. */
export const isPage = (author: string): boolean => author.startsWith('urn:li:organization:')

/** Asked after a create, which may have taken half a minute of the one there is. */
const totalMs = 8_000

/** Whether a post is there; `hidden` where we may not look. */
export const readPost = async (
  { ctx, account }: PlatformCall,
  urn: string,
): Promise<'there' | 'missing' | 'hidden'> => {
  try {
    await callLinkedIn(ctx, { token: tokenOf(account), path: '/rest/posts/{urn}', params: { urn }, totalMs })
    return 'there'
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return error.facts.httpStatus === 404 ? 'missing' : 'hidden'
  }
}

const Listed = z.object({
  id: z.string(),
  commentary: z.optional(z.string()),
  createdAt: z.optional(z.number()),
})
const Posts = z.object({ elements: z.array(Listed) })

/** How far LinkedIn's clock and ours may be apart. */
const clockSkewMs = 5_000
/** Most that LinkedIn lists at once (Posts API, "Find Posts by Authors", 202607). */
const pageSize = 100

/** Looks for a post of a page by its text, among those made since an attempt, newest first. */
export const findPost = async (
  { ctx, account }: PlatformCall,
  author: string,
  commentary: string,
  attempt: UnsettledAttempt,
): Promise<ProbeResult> => {
  const query = { q: 'author', author, count: String(pageSize), sortBy: 'CREATED' }
  const seen = await lookBack<z.infer<typeof Listed>, number>({
    clock: ctx.clock,
    fromMs: windowOf(attempt, clockSkewMs).fromMs,
    async read(start = 0) {
      const request = { token: tokenOf(account), path: '/rest/posts', totalMs: pageMs, reply: Posts }
      const { elements } = await askLinkedIn(ctx, { ...request, query: { ...query, start: String(start) } })
      // A page may be shorter than it was asked to be: only an empty one is the end.
      return { items: elements, next: elements.length === 0 ? undefined : start + elements.length }
    },
    atMs: ({ createdAt = Number.NaN }) => createdAt,
    isOurs: (post) => post.commentary === commentary,
  })
  return seen.kind === 'found' ? { kind: 'published', ...postOf(seen.items[0].id) } : seen
}
