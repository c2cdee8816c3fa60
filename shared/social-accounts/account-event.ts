import type { Context } from '../context.ts'
import { transact, type Write } from '../db/table.ts'
import { eventIdAt } from '../events/cursor.ts'
import { enqueueRelay } from '../events/enqueue-relay.ts'
import { makeEvent } from '../events/event.ts'
import { recordEvents } from '../events/outbox.ts'
import type { AccountFacts } from '../events/payloads.ts'
import { ulid } from '../ids.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { SocialAccount } from './social-account.ts'

/** The next event about an account: its outbox row, and the fields by which the account counts it. */
export interface AccountEvent {
  outboxId: string
  writes: readonly Write[]
  count: Required<Pick<SocialAccount, 'eventCount' | 'lastEventId'>>
}

/** The fields that all events about an account have. */
export const accountFacts = ({
  id,
  platform,
  username,
  integratorId,
}: Pick<SocialAccount, 'id' | 'platform' | 'username' | 'integratorId'>) => ({
  socialAccountId: id,
  platform,
  username,
  externalId: integratorId ?? null,
})

/** Makes the event that follows the last one about an account. A new account has none. */
export const accountEvent = <T extends keyof AccountFacts>(
  ctx: Context,
  workspace: Workspace,
  { eventCount, lastEventId }: Pick<SocialAccount, 'eventCount' | 'lastEventId'>,
  type: T,
  facts: AccountFacts[T],
): AccountEvent => {
  const nowMs = ctx.clock.now()
  const outboxId = ulid(nowMs)
  const id = eventIdAt(outboxId, 0)
  const sequence = eventCount + 1
  const event = makeEvent(type, workspace, nowMs, { id, sequence, previousEventId: lastEventId }, facts)
  const writes = recordEvents(ctx, outboxId, workspace.id, [event])
  return { outboxId, writes, count: { eventCount: sequence, lastEventId: id } }
}

/** Commits a change with its event, and wakes the relay. */
export const commitWithEvent = async (
  ctx: Context,
  workspace: Workspace,
  { outboxId, writes }: AccountEvent,
  changes: readonly Write[],
): Promise<void> => {
  await transact(ctx, () => [...changes, ...writes])
  await enqueueRelay(ctx, workspace.id, outboxId)
}
