import { absent, allOf, anyOf, atMost, type Condition, equal } from '../../db/expression.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Post } from '../lifecycle/row.ts'
import { unchanged } from '../lifecycle/transition.ts'

/** What a route throws that changes a post or a thread. */
export const changeErrors = ['post_not_found', 'not_thread_head', 'publish_in_progress', 'concurrent_update'] as const

const refusal = (text: string) => new Refusal('conflict', text, { code: 'publish_in_progress' })

/** An attempt of this very version, or a claim that still holds: the post may go live or fail any moment. */
const inFlightNow = (post: Post, nowMs: number) =>
  (post.leaseUntilMs ?? 0) > nowMs || (post.maybeLanded === true && post.armedVersion === post.version)

/**
 * The condition under which a caller may change a post: it is as it was read, and nothing of it is in flight. Refuses
 * at once where something is (Decided: 409 publish_in_progress). An older version's attempt that was never settled
 * does not stand in the way of its author (pipeline rule 3).
 */
export const changeable = (post: Post, nowMs: number): Condition => {
  if (post.status !== 'scheduled') return unchanged(post)
  if (inFlightNow(post, nowMs)) {
    throw refusal('The post is being published and may already be live. Check again in a minute.')
  }
  const free = anyOf(absent('leaseUntilMs'), atMost('leaseUntilMs', nowMs))
  return allOf(unchanged(post), free, post.maybeLanded ? equal('maybeLanded', true) : absent('maybeLanded'))
}

/** Other writers changed the post each time it came to writing. */
export const concurrentUpdate = (): Refusal =>
  new Refusal('conflict', 'The post changed during the request. Read it again, then retry.', {
    code: 'concurrent_update',
  })

export const postNotFound = (id: string): Refusal =>
  new Refusal('missing', `This workspace has no post ${id}.`, { code: 'post_not_found', field: 'id' })
