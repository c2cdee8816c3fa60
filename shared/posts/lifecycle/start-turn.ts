import { sweepAt } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import { unchanged } from './condition.ts'
import type { Post } from './row.ts'
import { rowWrite } from './write.ts'

/** The sweeper's first look at a tweet whose message was lost. */
const sweepGraceMs = 30_000

/** The tweet before is live: this one may go out as a reply to it. */
export const startTurn = (next: Post, replyTo: string, nowMs: number): Write =>
  rowWrite('startTurn', next, { set: { replyTo, ...sweepAt(next.id, nowMs + sweepGraceMs) } }, unchanged(next))
