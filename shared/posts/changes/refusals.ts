import { Refusal } from '../../errors/refusal.ts'
import type { Post } from '../lifecycle/row.ts'
import { stateOf } from '../lifecycle/state.ts'
import { postLifecycle } from '../lifecycle/transitions.ts'

/** The errors of a route that changes a post or a thread. */
export const changeErrors = ['post_not_found', 'not_thread_head', 'publish_in_progress', 'concurrent_update'] as const

/**
 * Decided: a post that is being published cannot be changed. It can become live at any moment, so the response is 409.
 * An unreconciled attempt of an earlier version does not block the author (pipeline rule 3, shared/README.md).
 */
export const assertNotInFlight = (post: Post, change: 'cancel' | 'reschedule' | 'delete', nowMs: number): void => {
  const { kind } = stateOf(post, nowMs)
  if (postLifecycle.mayFollow(change, kind)) return
  if (kind !== 'publishing' && kind !== 'unconfirmed' && kind !== 'reconciling') {
    throw new Error(`no ${change} of a post that is ${kind}`)
  }
  throw new Refusal('conflict', 'The post is being published and may already be live. Check again in a minute.', {
    code: 'publish_in_progress',
  })
}

/** Other writers changed the post before every try to write. */
export const concurrentUpdate = (): Refusal =>
  new Refusal('conflict', 'The post changed during the request. Read it again, then retry.', {
    code: 'concurrent_update',
  })
