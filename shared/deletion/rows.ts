import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { AccountPurge } from './account/deletion.ts'

export const deletionSweepRules = [
  sweepRule({
    type: 'AccountDeletion',
    shape: z.object({ id: z.string() }),
    message: ({ id: userId }) => {
      const body: AccountPurge = { userId }
      return { queue: 'purge', body, group: userId }
    },
  }),
]
