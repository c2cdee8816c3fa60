import type { Context } from '../context.ts'
import { equal } from '../db/expression.ts'
import { type Key, put, query, transact } from '../db/table.ts'
import type { SocialAccount } from './social-account.ts'

/** An account of an authorization that others may share: a bot in a server, or a person's login. */
type Holder = Pick<SocialAccount, 'workspaceId' | 'id' | 'platform'> & { sharedGrant: string }

const partitionOf = ({ platform, sharedGrant }: Holder) => `GRANT#${platform}#${sharedGrant}`

/** The row that says that an account, in any workspace, needs the authorization. */
export const holderKey = (holder: Holder): Key => ({
  PK: partitionOf(holder),
  SK: `${holder.workspaceId}#${holder.id}`,
})

/** Written before the account itself: an extra row keeps an authorization, a missing one would end it for others. */
export const addGrantHolder = (ctx: Context, holder: Holder): Promise<void> =>
  put(ctx, { ...holderKey(holder), type: 'GrantHolder', workspaceId: holder.workspaceId })

/** Removes an account from an authorization; true if no other account, in any workspace, needs it. */
export const removeGrantHolder = async (ctx: Context, holder: Holder): Promise<boolean> => {
  await transact(ctx, () => [{ delete: holderKey(holder) }])
  const { items } = await query(ctx, { key: equal('PK', partitionOf(holder)), limit: 1 })
  return items.length === 0
}
