import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import { importWork } from './imports/work.ts'
import type { MediaMessage } from './job.ts'

export const mediaSweepRules = [
  sweepRule({
    type: 'MediaJob',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: assetId }) => {
      const body: MediaMessage = { workspaceId, assetId }
      return { queue: 'preview', body, group: workspaceId }
    },
  }),
  importWork.sweepRule,
]
