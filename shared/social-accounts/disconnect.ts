import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { equal } from '../db/expression.ts'
import { notSwept } from '../db/sweep-at.ts'
import { ConditionFailed, update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Credentials } from '../platforms/account.ts'
import { credentialLifecycleOf } from '../platforms/connectors.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import { logSecurity } from '../security-log.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { decryptCredentials } from './decrypt-credentials.ts'
import { encryptCredentials } from './encrypt-credentials.ts'
import { removeGrantHolder } from './shared-grant.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

/** What became of an account that was disconnected. */
export const Disconnected = z
  .object({
    id: z.string(),
    deleted: z.literal(true),
    /** Whether the platform was told, too. */
    revoked: z.boolean(),
    /** Posts of the account that are still scheduled. */
    scheduledPosts: z.int(),
    message: z.string(),
  })
  .register(z.globalRegistry, { id: 'DisconnectedAccount' })

/** Forgets the credentials; false where they have just been changed. */
const forget = async (ctx: Context, workspace: Workspace, account: SocialAccount): Promise<boolean> => {
  const credentials = await encryptCredentials(ctx, workspace, account, {})
  const change = {
    set: { isConnected: false, needsReconnect: false, credentials },
    add: { credentialsVersion: 1 },
    remove: ['refreshLeaseUntilMs', ...notSwept],
  }
  try {
    await update(ctx, socialAccounts.key(account), change, equal('credentialsVersion', account.credentialsVersion))
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

const tries = 3

/** Takes the credentials of an account away, and answers them; a refresh that is under way may store new ones meanwhile. */
const removeCredentials = async (ctx: Context, workspace: Workspace, id: string) => {
  for (let left = tries; left > 0; left -= 1) {
    const account = await socialAccounts.get(ctx, { workspaceId: workspace.id, id })
    if (!account?.isConnected) {
      throw new Refusal('missing', `This workspace has no connected account ${id}.`, {
        code: 'account_not_found',
        field: 'id',
      })
    }
    const credentials = await decryptCredentials(ctx, workspace, account)
    if (await forget(ctx, workspace, account)) return { account, credentials }
  }
  throw new Refusal('conflict', 'The account is being connected or refreshed. Try again.', {
    code: 'concurrent_update',
  })
}

/** What became of the connection at the platform. */
type Given = 'told' | 'untold' | 'shared'

/** How the connection of an account ends at its platform: `shared` where other accounts still need it. */
const ending = async (ctx: Context, account: SocialAccount) => {
  const { revoke, revokeSharedGrant } = credentialLifecycleOf(account.platform)
  const { sharedGrant } = account
  if (!revokeSharedGrant || sharedGrant === undefined) return revoke
  return (await removeGrantHolder(ctx, { ...account, sharedGrant })) ? revokeSharedGrant : ('shared' as const)
}

/** Tells the platform; whether it heard it changes nothing here. */
const revokeAtPlatform = async (ctx: Context, account: SocialAccount, credentials: Credentials): Promise<Given> => {
  const end = await ending(ctx, account)
  if (end === 'shared') return end
  if (!end) return 'untold'
  try {
    await end(ctx, { ...account, credentials })
    return 'told'
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    ctx.log.warn('connection not revoked', { platform: account.platform, reason: error.message })
    return 'untold'
  }
}

const there = (name: string): Readonly<Record<Given, string>> => ({
  told: `${name} was told.`,
  untold: `Remove the service in the settings of ${name}, too: it could not be told from here.`,
  shared: `Other accounts here share this connection at ${name}: it stays there until the last of them is disconnected.`,
})

const sentence = ({ providerName }: SocialAccount, given: Given, scheduledPosts: number) => {
  const told = there(providerName)[given]
  if (scheduledPosts === 0) return told
  const posts =
    scheduledPosts === 1 ? '1 scheduled post fails at its time' : `${scheduledPosts} scheduled posts fail at their time`
  return `${told} ${posts} unless the account is connected again before, or they are cancelled.`
}

/** Ends the connection of an account; its row stays, so that connecting it again brings back its id and its posts. */
export const disconnectAccount = async (
  ctx: Context,
  workspace: Workspace,
  id: string,
  countScheduledPosts: () => Promise<number>,
): Promise<z.infer<typeof Disconnected>> => {
  const [{ account, credentials }, scheduledPosts] = await Promise.all([
    removeCredentials(ctx, workspace, id),
    countScheduledPosts(),
  ])
  const given = await revokeAtPlatform(ctx, account, credentials)
  const revoked = given === 'told'
  logSecurity(ctx, 'connection_deleted', { socialAccountId: id, platform: account.platform, revoked })
  return { id, deleted: true, revoked, scheduledPosts, message: sentence(account, given, scheduledPosts) }
}
