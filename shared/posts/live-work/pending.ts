import type { Context } from '../../context.ts'
import { absent, allOf, equal } from '../../db/expression.ts'
import { leaseFree } from '../../db/lease.ts'
import { batchGet, query, type Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Post } from '../lifecycle/row.ts'
import { firstComments, liveDeletions, liveDeletionsOf, liveEdits } from './work.ts'

const pending = (what: string, events: string): Refusal =>
  new Refusal('conflict', `${what} Delete the record after the event ${events}.`, { code: 'live_change_pending' })

/** Whether the first comment of a post waits, or is being published. */
const awaitsComment = ({ firstComment }: Post): boolean =>
  firstComment !== undefined && firstComment.ended === undefined

/**
 * The writes that accompany the deletion of published posts: no live change of them may be pending, and a first comment that
 * was not sent is canceled. Throws 409 `live_change_pending` for work that only ends with its record.
 */
export const endLiveWork = async (ctx: Context, posts: readonly Post[]): Promise<Write[]> => {
  const live = posts.filter(({ status }) => status === 'published')
  if (live.length === 0) return []
  const commented = live.filter(awaitsComment)
  const rows = await batchGet(ctx, [
    ...live.flatMap((post) => [liveDeletions.key(post), liveEdits.key(post)]),
    ...commented.map(firstComments.key),
  ])
  const nowMs = ctx.clock.now()
  if (live.some((post) => liveDeletions.from(rows, post) !== undefined))
    throw pending(
      'The platform is being asked to delete the live post.',
      'post.live_deleted or post.live_delete_failed',
    )
  if (live.some((post) => liveEdits.from(rows, post) !== undefined))
    throw pending('The platform is being asked to edit the live post.', 'post.live_edited or post.live_edit_failed')
  const comments = commented.flatMap((post) => firstComments.from(rows, post) ?? [])
  if (comments.some(({ attempt, leaseUntilMs = 0 }) => attempt !== undefined || leaseUntilMs > nowMs))
    throw pending('The first comment is being published.', 'post.comment_published or post.comment_failed')
  const notSent = allOf(absent('attempt'), leaseFree('leaseUntilMs', nowMs))
  return [
    ...live.flatMap((post) => [
      { check: liveDeletions.key(post), when: absent('PK') },
      { check: liveEdits.key(post), when: absent('PK') },
    ]),
    ...comments.map((comment) => ({ delete: firstComments.key(comment), when: notSent })),
  ]
}

/** Whether a platform is being asked to delete a live post of a workspace. */
export const hasPendingLiveDeletion = async (ctx: Context, workspaceId: string): Promise<boolean> => {
  const { items } = await query(ctx, { key: equal('PK', liveDeletionsOf(workspaceId)), limit: 1 })
  return items.length > 0
}

/** Throws 409 `live_change_pending` while platforms are being asked to delete live posts of a workspace. */
export const assertNoLiveDeletion = async (ctx: Context, workspaceId: string): Promise<void> => {
  if (!(await hasPendingLiveDeletion(ctx, workspaceId))) return
  const text = 'Platforms are being asked to delete live posts of this workspace. Try again when they have answered.'
  throw new Refusal('conflict', text, { code: 'live_change_pending' })
}
