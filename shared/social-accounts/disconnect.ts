import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commitWithEvents } from '../commit/commit-with-events.ts'
import type { Context } from '../context.ts'
import { allOf, equal } from '../db/expression.ts'
import { type Retries, retryOnConflict } from '../db/retry-on-conflict.ts'
import { notSwept } from '../db/sweep-at.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import type { Credentials } from '../platforms/account.ts'
import { credentialLifecycleOf } from '../platforms/connectors.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import { logSecurity } from '../security-log.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { accountData, accountEvent, countEvent } from './account-event.ts'
import { encryptCredentials } from './encrypt-credentials.ts'
import { decryptCredentials } from './refresh-credentials.ts'
import { removeGrantHolder } from './shared-grant.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

/** The result of disconnecting an account. */
export const Disconnected = z
  .object({
    id: described(z.string(), 'The ID of the account, `acc_…`.'),
    deleted: described(z.literal(true), 'Always true.'),
    revoked: described(z.boolean(), 'Whether the access was revoked at the platform as well.'),
    scheduledPosts: described(
      z.int(),
      'The number of posts of the account that are still scheduled. They fail at their time unless the account is connected again.',
    ),
    message: described(z.string(), 'What was done, in a sentence for people.'),
  })
  .register(z.globalRegistry, { id: 'DisconnectedAccount', description: 'An account that was disconnected.' })

/** Deletes the credentials, unless the account has just changed. */
const forget = async (ctx: Context, workspace: Workspace, account: SocialAccount, by: Actor): Promise<void> => {
  const credentials = await encryptCredentials(ctx, workspace, account, {})
  const { id, platform, username, credentialsVersion, eventCount } = account
  await commitWithEvents(ctx, workspace, (eventId) => ({
    writes: [
      {
        update: socialAccounts.key(account),
        change: {
          set: { ...countEvent(account, eventId(0)), isConnected: false, needsReconnect: false, credentials },
          add: { credentialsVersion: 1 },
          remove: ['leaseUntilMs', 'accessEndsAt', ...notSwept],
        },
        when: allOf(equal('credentialsVersion', credentialsVersion), equal('eventCount', eventCount)),
      },
    ],
    events: [accountEvent('social_account.disconnected', account, accountData(account))],
    audit: {
      by,
      action: 'social_account.disconnected',
      target: { type: 'social_account', id },
      before: { platform, username },
    },
  }))
}

const disconnectRetries: Retries = {
  tries: 3,
  refusal: () =>
    new Refusal('conflict', 'The account is being connected or refreshed. Try again.', { code: 'concurrent_update' }),
}

interface AccountToEnd {
  id: string
  /** The integrator's own id of the owner of the account; any if absent. */
  owner?: string | undefined
}

/** Removes the credentials of an account and returns them. A concurrent refresh may store new ones in the meantime. */
const removeCredentials = (ctx: Context, workspace: Workspace, { id, owner }: AccountToEnd, by: Actor) =>
  retryOnConflict(disconnectRetries, async () => {
    const account = await socialAccounts.get(ctx, { workspaceId: workspace.id, id })
    if (!account?.isConnected || (owner !== undefined && account.integratorId !== owner)) {
      throw new Refusal('missing', `This workspace has no connected account ${id}.`, {
        code: 'account_not_found',
        field: 'id',
      })
    }
    const credentials = await decryptCredentials(ctx, workspace, account)
    await forget(ctx, workspace, account, by)
    return { account, credentials }
  })

/** The state of the access at the platform. */
type Revocation = 'revoked' | 'not-revoked' | 'shared'

/** How to end the connection of an account at its platform: `shared` if other accounts still need it. */
const ending = async (ctx: Context, account: SocialAccount) => {
  const { revoke, revokeSharedGrant } = credentialLifecycleOf(account.platform)
  const { sharedGrant } = account
  if (!revokeSharedGrant || sharedGrant === undefined) return revoke
  return (await removeGrantHolder(ctx, { ...account, sharedGrant })) ? revokeSharedGrant : ('shared' as const)
}

/** Revokes the access at the platform, best effort. */
const revokeAtPlatform = async (
  ctx: Context,
  account: SocialAccount,
  credentials: Credentials,
): Promise<Revocation> => {
  const end = await ending(ctx, account)
  if (end === 'shared') return end
  if (!end) return 'not-revoked'
  try {
    await end(ctx, { ...account, credentials })
    return 'revoked'
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    ctx.log.warn('connection not revoked', { platform: account.platform, reason: error.message })
    return 'not-revoked'
  }
}

const sentences = (name: string): Readonly<Record<Revocation, string>> => ({
  revoked: `${name} access was revoked.`,
  'not-revoked': `${name} access could not be revoked from here. Remove the service in the settings of ${name}.`,
  shared: `${name} access stays until the last account that shares it is disconnected.`,
})

const sentence = ({ providerName }: SocialAccount, revocation: Revocation, scheduledPosts: number) => {
  const first = sentences(providerName)[revocation]
  if (scheduledPosts === 0) return first
  const posts = scheduledPosts === 1 ? '1 scheduled post will fail' : `${scheduledPosts} scheduled posts will fail`
  return `${first} ${posts} unless you reconnect the account or cancel ${scheduledPosts === 1 ? 'it' : 'them'}.`
}

/** Ends the connection of an account; its row stays, so that a reconnect restores its id and its posts. */
export const disconnectAccount = async (
  ctx: Context,
  workspace: Workspace,
  { id, owner, countScheduledPosts }: AccountToEnd & { countScheduledPosts: () => Promise<number> },
  by: Actor,
): Promise<z.infer<typeof Disconnected>> => {
  const [{ account, credentials }, scheduledPosts] = await Promise.all([
    removeCredentials(ctx, workspace, { id, owner }, by),
    countScheduledPosts(),
  ])
  const revocation = await revokeAtPlatform(ctx, account, credentials)
  const revoked = revocation === 'revoked'
  logSecurity(ctx, 'connection_deleted', { socialAccountId: id, platform: account.platform, revoked })
  return { id, deleted: true, revoked, scheduledPosts, message: sentence(account, revocation, scheduledPosts) }
}
