import type { Actor } from '../audit/actor.ts'
import { type AuditRecord, recordAudit } from '../audit/record.ts'
import type { Context, CreatedResponse } from '../context.ts'
import { transact, type Write } from '../db/table.ts'
import { idempotencyWrites } from '../http/idempotency-writes.ts'

/** What one transaction changes in a workspace, and what it records. */
export interface Unit {
  /** The rows that change. */
  writes: readonly Write[]
  /** The writes of counters: called for each try, because each uses another shard. */
  counts?: () => readonly Write[]
  /** The entry of the audit trail; none without an actor. */
  audit?: Omit<AuditRecord, 'workspaceId'> & { by: Actor | undefined }
  /** What the request returns; it is stored if the request has an Idempotency-Key. */
  response?: CreatedResponse
  /** Rejects writes that do not fit into one transaction, before anything is written. */
  check?: (writes: readonly Write[]) => void
}

const auditWrites = (ctx: Context, workspaceId: string, audit: Unit['audit']): Write[] => {
  if (audit?.by === undefined) return []
  const { by, ...record } = audit
  return [recordAudit(ctx, by, { workspaceId, ...record })]
}

/**
 * Writes a change of a workspace in one transaction: its rows, counters, audit entry, and response. Does nothing if there is
 * nothing to write. Throws TransactionFailed if a condition did not hold.
 */
export const commit = async (
  ctx: Context,
  { id }: { id: string },
  { writes, counts, audit, response, check }: Unit,
): Promise<void> => {
  const all = [...writes, ...auditWrites(ctx, id, audit), ...idempotencyWrites(ctx, response)]
  check?.(all)
  if (all.length === 0 && counts === undefined) return
  await transact(ctx, () => [...all, ...(counts?.() ?? [])])
}
