import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import type { PlatformId } from '../resources.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

/** The accounts of a workspace, oldest first. */
export const listAccounts = async (ctx: Context, workspaceId: string): Promise<SocialAccount[]> => {
  const { PK, SK } = socialAccounts.key({ workspaceId, id: '' })
  const items = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  return socialAccounts.readable(ctx, items).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/** Decided: helper endpoints use the named account, otherwise the oldest connected one of the platform. */
export const findAccount = async (
  ctx: Context,
  workspaceId: string,
  platform: PlatformId,
  id: string | undefined,
): Promise<SocialAccount> => {
  const accounts = await listAccounts(ctx, workspaceId)
  const account = accounts.find(
    (candidate) => candidate.platform === platform && candidate.isConnected && (!id || candidate.id === id),
  )
  if (account) return account
  const name = id ? `${platform} account ${id}` : `${platform} account`
  throw new Refusal('missing', `This workspace has no connected ${name}. Connect one first.`, {
    code: 'account_not_found',
    field: 'socialAccountId',
  })
}
