import type { Context } from '../context.ts'
import type { Write } from '../db/table.ts'
import { actorOf } from './actor.ts'
import { type AuditRecord, recordAudit } from './record.ts'

/**
 * The write that records a change by an assistant, for the transaction of the change; no write for another caller.
 * Decided: content is recorded only where no person wrote it themselves.
 */
export const recordByAssistant = (ctx: Context, record: AuditRecord): Write[] => {
  const { assistant } = ctx
  if (assistant === undefined) return []
  return [recordAudit(ctx, actorOf({ ctx, request: assistant }), record)]
}
