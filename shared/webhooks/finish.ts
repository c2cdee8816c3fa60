import { maxDelaySeconds } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { absent, equal } from '../db/expression.ts'
import { isLost } from '../db/lost.ts'
import { TransactionFailed, transact, type Write } from '../db/table.ts'
import { asleep, wake } from '../db/wake.ts'
import { Refusal } from '../errors.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Outcome } from './attempt.ts'
import { type Delivery, deliveries } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { switchOff } from './switch-off.ts'
import type { Verdict } from './verdict.ts'

const slackMs = 60_000

const log = (delivery: Delivery, status: Delivery['status'], outcome: Outcome | undefined, nowMs: number): Write => ({
  update: deliveries.key(delivery),
  change: {
    set: {
      status,
      nextAttemptAt: null,
      requestedAt: outcome ? new Date(nowMs - outcome.durationMs).toISOString() : null,
      durationMs: outcome?.durationMs ?? null,
      httpStatus: outcome?.httpStatus ?? null,
      errorCode: outcome?.errorCode ?? null,
      responseSnippet: outcome?.responseSnippet ?? null,
    },
    remove: ['leaseUntilMs', ...asleep],
  },
  when: equal('status', 'pending'),
})

/** The row of the attempt to come, which the sweeper finds when it is due: later than its message, where it gets one. */
const plan = ({ row, waitSeconds }: NonNullable<Verdict['next']>, nowMs: number): Write => {
  const wakeAtMs = nowMs + waitSeconds * 1000 + (waitSeconds <= maxDelaySeconds ? slackMs : 0)
  return { put: { ...deliveries.item(row), ...wake(row.id, wakeAtMs) }, when: absent('PK') }
}

/** Logs that no attempt is made: the endpoint is gone or switched off, or its event has expired. */
export const discard = (ctx: Context, delivery: Delivery): Promise<void> =>
  transact(ctx, () => [log(delivery, 'discarded', undefined, ctx.clock.now())])

/** Logs an attempt and what follows from it in one transaction; false where somebody else has logged it. */
export const finish = async (
  ctx: Context,
  of: { workspace: Workspace; endpoint: Endpoint; delivery: Delivery },
  outcome: Outcome,
  { status, next, gone }: Verdict,
): Promise<boolean> => {
  const now = ctx.clock.now()
  const row = log(of.delivery, status, outcome, now)
  try {
    if (gone && (await trySwitchOff(ctx, of.workspace, of.endpoint, row))) return true
    await transact(ctx, () => [row, ...(next ? [plan(next, now)] : [])])
    return true
  } catch (error) {
    if (isLost(error)) return false
    throw error
  }
}

/** False where the endpoint has changed meanwhile: what was answered is logged all the same. */
const trySwitchOff = async (...change: Parameters<typeof switchOff>): Promise<boolean> => {
  try {
    await switchOff(...change)
    return true
  } catch (error) {
    if (error instanceof TransactionFailed || error instanceof Refusal) return false
    throw error
  }
}
