import type { Actor } from '../audit/actor.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { absent, equal } from '../db/expression.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Connection } from '../platforms/connection.ts'
import { logSecurity } from '../security-log.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { accountEvent, accountFacts, commitWithEvent } from './account-event.ts'
import { encryptCredentials } from './encrypt-credentials.ts'
import { nextRenewalCheck } from './schedule-renewal.ts'
import { addGrantHolder } from './shared-grant.ts'
import { accountId, type ShownAccount, type SocialAccount, socialAccounts } from './social-account.ts'

/** Another call or a loss of the connection may come first, each at most a few times. */
const tries = 5

/** Writes the account if it is still as `known`: absent, or with the same events. */
const writeAccount = (
  ctx: Context,
  workspace: Workspace,
  account: ShownAccount,
  /** What is stored beside what is shown. */
  stored: Readonly<Record<string, unknown>>,
  known: SocialAccount | undefined,
  by: Actor,
): Promise<boolean> => {
  // A reconnect without the id of the owner leaves the one that is stored, also if it changes meanwhile.
  const { integratorId: _, ...shown } = account
  const { id, platform, username } = account
  const facts = { ...accountFacts(account), reconnected: known !== undefined }
  const event = accountEvent(ctx, workspace, known ?? noEvents, 'social_account.connected', facts)
  const change = {
    set: {
      ...shown,
      ...stored,
      ...event.count,
      type: 'SocialAccount',
      // A worker that loads the platform adapters decides when to renew them.
      ...nextRenewalCheck(id, ctx.clock.now()),
    },
    setOnce: { createdAt: new Date(ctx.clock.now()).toISOString() },
    add: { credentialsVersion: 1 },
    remove: ['leaseUntilMs'],
  }
  const when = known === undefined ? absent('PK') : equal('eventCount', known.eventCount)
  const entry = recordAudit(ctx, by, {
    workspaceId: workspace.id,
    action: 'social_account.connected',
    target: { type: 'social_account', id },
    after: { platform, username },
  })
  const update = { update: socialAccounts.key(account), change, when }
  return wasCurrent(commitWithEvent(ctx, workspace, event, [update, entry]))
}

const noEvents = { eventCount: 0, lastEventId: undefined }

/**
 * Stores a connection in one write, after that of a shared authorization: a new account, or the same one again with its
 * id, history, and posts. The version increases, so that a running refresh cannot overwrite the new credentials. A new
 * account is tried first, which needs no read, unless one fits beside the write of the grant. One that exists keeps its
 * `integratorId` unless there is another one.
 */
export const connectAccount = async (
  ctx: Context,
  workspace: Workspace,
  connection: Connection,
  by: Actor,
  integratorId?: string,
): Promise<ShownAccount> => {
  const { credentials, sharedGrant, ...shown } = connection
  const { platform } = connection
  const workspaceId = workspace.id
  const key = { workspaceId, id: accountId(workspaceId, platform, connection.externalId) }
  const sealed = await encryptCredentials(ctx, workspace, key, credentials)
  let known: SocialAccount | undefined
  if (sharedGrant !== undefined) {
    const holder = addGrantHolder(ctx, { ...key, platform, sharedGrant })
    known = (await Promise.all([socialAccounts.get(ctx, key), holder]))[0]
  }
  const stored = {
    ...{ credentials: sealed },
    ...(sharedGrant === undefined ? {} : { sharedGrant }),
    ...(integratorId === undefined ? {} : { integratorId }),
  }
  for (let left = tries; left > 0; left -= 1) {
    const owner = integratorId ?? known?.integratorId
    const account = {
      ...{ ...key, ...shown, isConnected: true, needsReconnect: false },
      ...(owner === undefined ? {} : { integratorId: owner }),
    }
    if (await writeAccount(ctx, workspace, account, stored, known, by)) {
      const audit = { userId: by.userId ?? undefined, workspaceId, socialAccountId: key.id, platform }
      logSecurity(ctx, 'connection_created', audit)
      return account
    }
    known = await socialAccounts.get(ctx, key)
  }
  throw new Refusal('conflict', 'The account is being connected or refreshed. Try again.', {
    code: 'concurrent_update',
  })
}
