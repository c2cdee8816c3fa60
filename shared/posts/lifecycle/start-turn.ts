import { sweepAt } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import { unchanged } from './condition.ts'
import { publishGraceMs } from './prepare.ts'
import type { Post } from './row.ts'
import { postLifecycle } from './transitions.ts'

/** The previous tweet is live: this one can go out as a reply to it. */
export const startTurn = (next: Post, replyTo: string, nowMs: number): Write =>
  postLifecycle.write(
    'startTurn',
    next,
    { set: { replyTo, ...sweepAt(next.id, nowMs + publishGraceMs) } },
    unchanged(next),
  )
