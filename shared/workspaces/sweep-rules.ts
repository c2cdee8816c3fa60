import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { PurgeMessage } from './deletion.ts'

export const workspaceSweepRules = [
  sweepRule({
    type: 'WorkspaceDeletion',
    shape: z.object({ workspaceId: z.string() }),
    message: ({ workspaceId }) => {
      const body: PurgeMessage = { workspaceId }
      return { queue: 'purge', body, group: workspaceId }
    },
  }),
]
