import * as z from 'zod/mini'
import { enqueueOrSweep } from '../aws/queue.ts'
import type { Context } from '../context.ts'

/** The message to relay-events: names an outbox row. */
export const RelayMessage = z.object({ workspaceId: z.string(), outboxId: z.string() })
export type RelayMessage = z.infer<typeof RelayMessage>

/** Sends an outbox row to the relay at once. If the queue rejects the message, the sweeper sends it within a minute. */
export const enqueueRelay = async (ctx: Context, workspaceId: string, outboxId: string): Promise<void> => {
  const body: RelayMessage = { workspaceId, outboxId }
  await enqueueOrSweep(ctx, 'events', { body, group: workspaceId })
}
