import type { OwnedRows } from '../db/owned-rows.ts'
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
