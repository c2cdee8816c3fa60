import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { AiJobMessage } from './jobs/job.ts'

export const aiSweepRules = [
  sweepRule({
    type: 'AiJob',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: jobId }) => {
      const body: AiJobMessage = { workspaceId, jobId }
      return { queue: 'ai', body, group: workspaceId } as const
    },
  }),
]
