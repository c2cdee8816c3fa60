import type { Context } from '../../context.ts'
import { fold } from '../../text/fold.ts'
import type { Post } from '../lifecycle/row.ts'
import { readTexts } from '../texts.ts'
import type { PostFilter } from './list-query.ts'

/** A post that matches the filters, and its text if they had to read it. */
export interface Match {
  post: Post
  content?: string
}

/** Whether the row of a post passes the filters; its text is not read. */
export const fits = (post: Post, filter: PostFilter): boolean => {
  const { from, to, accountIds } = filter
  const names = ['status', 'socialAccountId', 'groupId', 'platform', 'externalId'] as const
  const atMs = Date.parse(post.scheduledAt)
  return (
    names.every((name) => filter[name] === undefined || post[name] === filter[name]) &&
    (accountIds === undefined || accountIds.includes(post.socialAccountId)) &&
    (from === undefined || atMs >= Date.parse(from)) &&
    (to === undefined || atMs < Date.parse(to))
  )
}

/** The posts that pass all filters, and how many characters were read for this. */
export const matching = async (
  ctx: Context,
  rows: readonly Post[],
  filter: PostFilter,
): Promise<{ matches: Match[]; characters: number }> => {
  const fitting = rows.filter((post) => fits(post, filter))
  if (filter.q === undefined) return { matches: fitting.map((post) => ({ post })), characters: 0 }
  const phrase = fold(filter.q)
  const textOf = await readTexts(ctx, fitting)
  const read = fitting.map((post) => ({ post, content: textOf(post) }))
  return {
    matches: read.filter(({ content }) => fold(content).includes(phrase)),
    characters: read.reduce((sum, { content }) => sum + content.length, 0),
  }
}
