import type { Condition } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import type { FailureReason } from '../../events/payloads.ts'
import type { AttemptRecord } from './attempt-record.ts'
import type { Post } from './row.ts'
import { postLifecycle } from './transitions.ts'
import { statusWrite } from './write.ts'

/** The end of a publication as the user sees it. */
export type Ending =
  | { by: 'publish'; url: string | null; platformId: string | null }
  | { by: 'fail' | 'giveUp' | 'breakThread'; error: string; reason: FailureReason; retrySafe: boolean }

export const statusOf = ({ by }: Ending) => postLifecycle.to(by)

const setBy = (ending: Ending, nowMs: number): Partial<Post> =>
  ending.by === 'publish'
    ? { publishedPostUrl: ending.url, platformPostId: ending.platformId, publishedAtMs: nowMs, error: null }
    : { error: ending.error, reason: ending.reason, retrySafe: ending.retrySafe }

/** When a publication ends, its attempts, and its event. */
interface Close {
  nowMs: number
  attempts: readonly AttemptRecord[]
  eventId: string
}

/** The write that ends the publication of a post. */
export const finish = (post: Post, ending: Ending, when: Condition, { nowMs, attempts, eventId }: Close): Write =>
  statusWrite(ending.by, {
    post,
    change: { set: { ...setBy(ending, nowMs), attempts } },
    when,
    eventId,
  })

/** Whether an ending releases the post's place in the cap on X. */
export const releasesCap = ({ by }: Ending): boolean =>
  postLifecycle.transitions[by].clears.some((name) => name === 'capMonth')
