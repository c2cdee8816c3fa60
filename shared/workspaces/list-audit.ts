import * as z from 'zod/mini'
import { AuditEntryView, type AuditQuery, readAudit, viewEntry } from '../audit/list.ts'
import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { described } from '../http/described.ts'
import { unreadable } from '../http/page.ts'
import { users } from '../identity/user.ts'

/** Decided: no totals and no offset, as in the event log, because a trail only grows. */
export const AuditPageView = z.object({
  items: described(z.array(AuditEntryView), 'The entries of this page, newest first.'),
  hasMore: described(z.boolean(), 'Whether there can be more entries.'),
  nextCursor: described(z.nullable(z.string()), 'Send it as `cursor` to get the next page; null on the last page.'),
  unreadable,
})

/** A page of the audit trail, with the present names of the people who made the changes: one Query and one read. */
export const listAudit = async (
  ctx: Context,
  workspaceId: string,
  query: AuditQuery,
): Promise<z.infer<typeof AuditPageView>> => {
  const { entries, ...page } = await readAudit(ctx, workspaceId, query)
  const ids = new Set(entries.flatMap(({ actor: { userId } }) => (userId === null ? [] : [userId])))
  const rows = await batchGet(
    ctx,
    [...ids].map((id) => users.key({ id })),
  )
  const personOf = (id: string | null) => (id === null ? undefined : users.from(rows, { id }))
  return { items: entries.map((entry) => viewEntry(entry, personOf(entry.actor.userId))), ...page }
}
