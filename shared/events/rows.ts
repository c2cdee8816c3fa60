import * as z from 'zod/mini'
import type { OwnedRows } from '../db/owned-rows.ts'
import { sweepRule } from '../db/sweep-rule.ts'
import { outbox, type RelayMessage } from './outbox.ts'

export const eventRows: OwnedRows = {
  partitions: (workspaceId) => [outbox.key({ workspaceId, id: '' }).PK],
}

export const eventSweepRules = [
  sweepRule({
    type: 'Outbox',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: outboxId }) => {
      const body: RelayMessage = { workspaceId, outboxId }
      return { queue: 'events', body, group: workspaceId }
    },
  }),
]
