import * as z from 'zod/mini'
import type { OwnedRows } from '../db/owned-rows.ts'
import { sweepRule } from '../db/sweep-rule.ts'
import type { RenewMessage } from './renew.ts'
import { holderKey } from './shared-grant.ts'
import { socialAccounts } from './social-account.ts'

export const socialAccountRows: OwnedRows = {
  children: {
    async *SocialAccount(_ctx, workspaceId, row) {
      const { id, platform, sharedGrant } = socialAccounts.parse(row)
      if (sharedGrant !== undefined) yield [holderKey({ workspaceId, id, platform, sharedGrant })]
    },
  },
}

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
