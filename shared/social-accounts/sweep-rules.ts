import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { RenewMessage } from './renew.ts'

export const socialAccountSweepRules = [
  sweepRule({
    type: 'SocialAccount',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: socialAccountId }) => {
      const body: RenewMessage = { workspaceId, socialAccountId }
      return { queue: 'prepare', body, group: workspaceId }
    },
  }),
]
