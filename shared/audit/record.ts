import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { ulid } from '../ids.ts'
import { dayMs } from '../time.ts'
import type { AuditAction, AuditTarget } from './actions.ts'
import type { Actor } from './actor.ts'
import { type AuditChange, boundedChange } from './bounded.ts'
import { type AuditEntry, auditEntries } from './entry.ts'

/** How long an entry can be read. */
export const auditRetentionDays = 365

/** A write costs by the kilobyte. The JSON of a row is never shorter than what DynamoDB counts. */
const maxBytes = 1024

/** A change to record. `before` and `after` have no secrets: `recordAudit` keeps the fields that differ. */
export interface AuditRecord extends AuditChange {
  workspaceId: string
  action: AuditAction
  target: { type: AuditTarget; id: string }
}

/** The write that records a change in the audit trail. It belongs in the transaction of the change. */
export const recordAudit = (
  ctx: Context,
  actor: Actor,
  { workspaceId, action, target, ...change }: AuditRecord,
): Write => {
  const nowMs = ctx.clock.now()
  const entry = {
    workspaceId,
    id: ulid(nowMs),
    action,
    targetType: target.type,
    targetId: target.id,
    actor,
    ttl: Math.ceil((nowMs + auditRetentionDays * dayMs) / 1000),
  }
  const itemOf = (bounded: Pick<AuditEntry, 'before' | 'after' | 'truncated'>) =>
    auditEntries.item({ ...entry, ...bounded })
  const fits = (bounded: Parameters<typeof itemOf>[0]) => Buffer.byteLength(JSON.stringify(itemOf(bounded))) <= maxBytes
  return { put: itemOf(boundedChange(change, fits)), when: absent('PK') }
}
