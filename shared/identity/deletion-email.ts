import { enqueueOrSweep } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import type { Write } from '../db/table.ts'
import { ulid } from '../ids.ts'
import { dayMs } from '../time.ts'
import { type UnsentEmailMessage, unsentEmails } from './unsent-email.ts'

const triedDays = 3

/** The email that an account was deleted: the account has no row any more, so the address stands in the email's. */
export const deletionEmail = (ctx: Context, to: string): { write: Write; enqueue(): Promise<void> } => {
  const nowMs = ctx.clock.now()
  const id = ulid(nowMs)
  const untilMs = nowMs + triedDays * dayMs
  const body: UnsentEmailMessage = { emailId: id }
  return {
    write: { put: unsentEmails.item({ id, to, kind: 'account-deleted', tokenHash: '', failedAtMs: nowMs, untilMs }) },
    enqueue: () => enqueueOrSweep(ctx, 'drain', { body, group: id }),
  }
}
