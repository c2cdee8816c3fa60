import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { entity } from '../../db/entity.ts'
import { type BatchRows, batchGet, type Key, put } from '../../db/table.ts'
import { digest } from '../../ids.ts'
import { dayMs } from '../../time.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import type { Warning } from '../warning.ts'
import type { PostRequest } from './requests.ts'

/** The latest post of a text to an account. It expires a day after the time of the post. */
const RecentText = z.object({
  workspaceId: z.string(),
  socialAccountId: z.string(),
  textHash: z.string(),
  postId: z.string(),
})
type RecentText = z.infer<typeof RecentText>

export const recentTextsOf = (workspaceId: string): string => `WS#${workspaceId}#TEXT`

const hashOf = (text: string) => digest(text.trim())

const recentTexts = entity({
  type: 'RecentText',
  shape: RecentText,
  key: ({ workspaceId, socialAccountId, textHash }: Omit<RecentText, 'postId'>) => ({
    PK: recentTextsOf(workspaceId),
    SK: `${socialAccountId}#${textHash}`,
  }),
})

/** Decided: a request with more pairs of a text and an account is not searched for repeated texts. */
const maxPairs = 60

/** The rows that say whether the texts of a request have gone to its accounts before. */
export const recentTextKeys = (
  workspaceId: string,
  { content, platformContent = {}, socialAccountIds }: PostRequest,
): Key[] => {
  const texts = [...new Set([content, ...Object.values(platformContent)])].filter((text) => text.trim() !== '')
  if (texts.length * socialAccountIds.length > maxPairs) return []
  return socialAccountIds.flatMap((socialAccountId) =>
    texts.map((text) => recentTexts.key({ workspaceId, socialAccountId, textHash: hashOf(text) })),
  )
}

/**
 * Stores which post has the text last, after the post was accepted. A failure is logged: all that is missing then is a
 * warning.
 */
export const recordTexts = async (
  ctx: Context,
  accepted: readonly { post: Post; content: string }[],
): Promise<void> => {
  const rows = accepted
    .filter(({ content }) => content.trim() !== '')
    .map(({ post: { workspaceId, socialAccountId, id, scheduledAtMs }, content }) => ({
      ...recentTexts.item({ workspaceId, socialAccountId, textHash: hashOf(content), postId: id }),
      ttl: Math.ceil((scheduledAtMs + dayMs) / 1000),
    }))
  await Promise.all(rows.map((row) => put(ctx, row))).catch((error: unknown) => {
    ctx.log.warn('the texts of posts were not stored', { reason: String(error) })
  })
}

const isNear = (post: Post, momentMs: number) =>
  (post.status === 'scheduled' || post.status === 'published') && Math.abs(post.scheduledAtMs - momentMs) < dayMs

/** One account's share of a request, and where its text may have gone before. */
interface Repeatable {
  content: string
  account: { id: string; platform: string }
}

const warningOf = ({ account: { id, platform } }: Repeatable, earlier: Post): Warning => ({
  socialAccountId: id,
  platform,
  code: 'duplicate_text',
  field: 'content',
  message: `The same text goes to this account at ${earlier.scheduledAt}, with the post ${earlier.id}.`,
  next: 'Change the text, or cancel one of the posts, if you did not mean to repeat it.',
})

/**
 * Warns about texts that are sent to the same account within a day of a time. `prefetched` has the rows of `recentTextKeys`;
 * posts are read only if a text was used before.
 */
export const warnOfRepeats = async (
  ctx: Context,
  { workspaceId, prefetched, dueMs }: { workspaceId: string; prefetched: BatchRows; dueMs: number },
  shares: readonly Repeatable[],
): Promise<Warning[]> => {
  const used = shares.flatMap((share) => {
    const known = { workspaceId, socialAccountId: share.account.id, textHash: hashOf(share.content) }
    const row = recentTexts.from(prefetched, known)
    return row === undefined ? [] : [{ share, key: { workspaceId, id: row.postId } }]
  })
  if (used.length === 0) return []
  const rows = await batchGet(
    ctx,
    used.map(({ key }) => posts.key(key)),
  )
  return used.flatMap(({ share, key }) => {
    const earlier = posts.from(rows, key)
    return earlier !== undefined && isNear(earlier, dueMs) ? [warningOf(share, earlier)] : []
  })
}
