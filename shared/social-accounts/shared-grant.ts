import type { Context } from '../context.ts'
import { equal } from '../db/expression.ts'
import { type Key, put, query, transact } from '../db/table.ts'
import type { SocialAccount } from './social-account.ts'

/** An account of an authorization that others may share: a bot's place in a server, a person's login. */
type Holder = Pick<SocialAccount, 'workspaceId' | 'id' | 'platform'> & { sharedGrant: string }

const partitionOf = ({ platform, sharedGrant }: Holder) => `GRANT#${platform}#${sharedGrant}`

/** The row that says that an account, of whichever workspace, needs the authorization. */
export const holderKey = (holder: Holder): Key => ({
  PK: partitionOf(holder),
  SK: `${holder.workspaceId}#${holder.id}`,
})

/** Written before the account itself: a row too many keeps an authorization, one too few would end it for others. */
export const addGrantHolder = (ctx: Context, holder: Holder): Promise<void> =>
  put(ctx, { ...holderKey(holder), type: 'GrantHolder', workspaceId: holder.workspaceId })

/** Takes an account off; true where no other account, of any workspace, needs the authorization. */
export const removeGrantHolder = async (ctx: Context, holder: Holder): Promise<boolean> => {
  await transact(ctx, () => [{ delete: holderKey(holder) }])
  const { items } = await query(ctx, { key: equal('PK', partitionOf(holder)), limit: 1 })
  return items.length === 0
}
