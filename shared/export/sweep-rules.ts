import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { ExportMessage } from './message.ts'

export const exportSweepRules = [
  sweepRule({
    type: 'Export',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: exportId }) => {
      const body: ExportMessage = { workspaceId, exportId }
      return { queue: 'export', body, group: workspaceId }
    },
  }),
]
