import type { Context } from '../context.ts'
import { unreadableIn } from '../db/entity.ts'
import { allOf, between, type Condition, equal } from '../db/expression.ts'
import { query } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { msOf } from '../http/moment.ts'
import { lowestUlid } from '../ids.ts'
import { dayMs } from '../time.ts'
import { type AuditEntry, auditEntries } from './entry.ts'
import type { AuditQuery } from './query.ts'
import { auditRetentionDays } from './record.ts'

/** A filter reads rows that it does not return: one page reads at most this many, about half a megabyte. */
const rowsWhenFiltered = 500

/** The rows that a page can show; undefined if there are none. Rows outlive the year by up to two days (TTL). */
const rangeOf = (ctx: Context, workspaceId: string, { from, to, cursor }: AuditQuery): Condition | undefined => {
  if (from !== undefined && to !== undefined && msOf(from) > msOf(to)) {
    throw new Refusal('invalid', '"to" must not be before "from".', { code: 'invalid_input', field: 'to' })
  }
  const oldestMs = ctx.clock.now() - auditRetentionDays * dayMs
  const lowest = lowestUlid(Math.max(oldestMs, from === undefined ? 0 : msOf(from)))
  // No id contains a tilde: every id sorts below.
  const highest = to === undefined ? '~' : lowestUlid(msOf(to) + 1)
  const last = cursor !== undefined && cursor < highest ? cursor : highest
  if (lowest > last) return undefined
  const { PK } = auditEntries.key({ workspaceId, id: '' })
  return allOf(equal('PK', PK), between('SK', lowest, last))
}

const fits = (entry: AuditEntry, { action, actorId, targetType, targetId, cursor }: AuditQuery): boolean =>
  // The range includes the row at the cursor, which the page before this one has shown or passed over.
  entry.id !== cursor &&
  (action === undefined || (action as readonly string[]).includes(entry.action)) &&
  (actorId === undefined || entry.actor.userId === actorId) &&
  (targetType === undefined || entry.targetType === targetType) &&
  (targetId === undefined || entry.targetId === targetId)

export interface AuditPage {
  entries: AuditEntry[]
  hasMore: boolean
  /** The position after the last row that was read; null at the end of the trail. */
  nextCursor: string | null
  unreadable?: number
}

/**
 * A page of a workspace's audit trail, newest first. One query reads a bounded number of rows, however many of them
 * fit the filter: a page can have few entries, or none, and continue.
 */
export const readAudit = async (ctx: Context, workspaceId: string, asked: AuditQuery): Promise<AuditPage> => {
  const key = rangeOf(ctx, workspaceId, asked)
  if (key === undefined) return { entries: [], hasMore: false, nextCursor: null }
  const { action, actorId, targetType, targetId, limit } = asked
  const isFiltered = [action, actorId, targetType, targetId].some((one) => one !== undefined)
  // One row more, to know whether there is another page, and the row at the cursor.
  const page = await query(ctx, { key, newestFirst: true, limit: isFiltered ? rowsWhenFiltered : limit + 2 })
  const rows = auditEntries.readable(ctx, page.items)
  const fitting = rows.filter((row) => fits(row, asked))
  const entries = fitting.slice(0, limit)
  const isCut = fitting.length > limit
  const hasMore = isCut || page.next !== undefined
  const last = isCut ? entries.at(-1)?.id : page.items.at(-1)?.['SK']
  return {
    entries,
    hasMore,
    nextCursor: hasMore && last !== undefined ? String(last) : null,
    ...unreadableIn(page.items, rows),
  }
}
