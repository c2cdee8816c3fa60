import * as z from 'zod/mini'
import { tokenOf } from '../oauth.ts'
import { type PlatformCall, PlatformError } from '../platform.ts'
import { askLinkedIn, callLinkedIn } from './api.ts'

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

const Posts = z.object({
  elements: z.array(
    z.object({ id: z.string(), commentary: z.optional(z.string()), createdAt: z.optional(z.number()) }),
  ),
})

/** How far LinkedIn's clock and ours may be apart. */
const slackMs = 5_000

/** The newest post of a page with a text, made since a moment. */
export const findPost = async (
  { ctx, account }: PlatformCall,
  author: string,
  commentary: string,
  sinceMs: number,
): Promise<string | undefined> => {
  const query = { q: 'author', author, count: '10', sortBy: 'CREATED' }
  const { elements } = await askLinkedIn(ctx, { token: tokenOf(account), path: '/rest/posts', query, reply: Posts })
  const found = elements.find((post) => post.commentary === commentary && (post.createdAt ?? 0) >= sinceMs - slackMs)
  return found?.id
}
