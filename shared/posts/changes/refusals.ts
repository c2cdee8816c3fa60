import { Refusal } from '../../errors/refusal.ts'
import type { Post } from '../lifecycle/row.ts'
import { stateOf } from '../lifecycle/state.ts'
import { mayFollow } from '../lifecycle/transitions.ts'

/** What a route throws that changes a post or a thread. */
export const changeErrors = ['post_not_found', 'not_thread_head', 'publish_in_progress', 'concurrent_update'] as const

/**
 * Decided: a post that is being published cannot be changed. It may become live any moment, so the answer is 409. An
 * earlier version's attempt that was never reconciled does not stand in the way of its author (pipeline rule 3).
 */
export const assertNotInFlight = (post: Post, change: 'cancel' | 'reschedule' | 'delete', nowMs: number): void => {
  const { kind } = stateOf(post, nowMs)
  if (mayFollow(change, kind)) return
  if (kind !== 'publishing' && kind !== 'unconfirmed' && kind !== 'reconciling') {
    throw new Error(`no ${change} of a post that is ${kind}`)
  }
  throw new Refusal('conflict', 'The post is being published and may already be live. Check again in a minute.', {
    code: 'publish_in_progress',
  })
}

/** Other writers changed the post each time it came to writing. */
export const concurrentUpdate = (): Refusal =>
  new Refusal('conflict', 'The post changed during the request. Read it again, then retry.', {
    code: 'concurrent_update',
  })

export const postNotFound = (id: string): Refusal =>
  new Refusal('missing', `This workspace has no post ${id}.`, { code: 'post_not_found', field: 'id' })
