import type { Actor } from '../audit/actor.ts'
import { commitWithEvents } from '../commit/commit-with-events.ts'
import type { Context } from '../context.ts'
import { absent, equal } from '../db/expression.ts'
import { type Retries, retryOnConflict } from '../db/retry-on-conflict.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { soonJob } from '../media/job.ts'
import { pictureKeyOf } from '../media/reference.ts'
import type { Connection } from '../platforms/account.ts'
import { logSecurity } from '../security-log.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { accountData, accountEvent, countEvent, type EventCount } from './account-event.ts'
import { encryptCredentials } from './encrypt-credentials.ts'
import { accessEnd, firstRenewalCheck } from './schedule-renewal.ts'
import { addGrantHolder } from './shared-grant.ts'
import { accountId, type ShownAccount, type SocialAccount, socialAccounts } from './social-account.ts'

/** Another call or a loss of the connection may come first, each at most a few times. */
const connectRetries: Retries = {
  tries: 5,
  refusal: () =>
    new Refusal('conflict', 'The account is being connected or refreshed. Try again.', { code: 'concurrent_update' }),
}

interface Connecting {
  account: ShownAccount
  /** What is stored in addition to what is shown. */
  stored: Readonly<Record<string, unknown>>
  /** The account as stored now, if it is. */
  known: SocialAccount | undefined
}

const noEvents: EventCount = { eventCount: 0, lastEventId: undefined }

/** The write that lets a worker copy the picture of the account (copy-picture.ts), if it has one. */
const pictureJob = ({ workspaceId, id, profileImageUrl }: ShownAccount, nowMs: number): Write[] =>
  profileImageUrl === null
    ? []
    : [soonJob({ workspaceId, id, storageKey: pictureKeyOf(workspaceId, id, nowMs) }, nowMs)]

/** Writes the account if it is still as `known`: absent, or with the same events. */
const writeAccount = async (
  ctx: Context,
  workspace: Workspace,
  { account, stored, known }: Connecting,
  by: Actor,
): Promise<void> => {
  // A reconnect without the ID of the owner keeps the stored one, also if it changes in the meantime.
  const { integratorId: _, ...shown } = account
  const { id, platform, username, accessEndsAt } = account
  const last = known ?? noEvents
  const now = ctx.clock.now()
  const data = { ...accountData(account), reconnected: known !== undefined }
  await commitWithEvents(ctx, workspace, (eventId) => ({
    writes: [
      {
        update: socialAccounts.key(account),
        change: {
          set: {
            ...shown,
            ...stored,
            ...countEvent(last, eventId(0)),
            type: 'SocialAccount',
            // A worker that loads the platform adapters decides when to renew them.
            ...firstRenewalCheck(id, now),
          },
          setOnce: { createdAt: new Date(now).toISOString() },
          add: { credentialsVersion: 1 },
          remove: ['leaseUntilMs', 'accessEndReported', ...(accessEndsAt === undefined ? ['accessEndsAt'] : [])],
        },
        when: known === undefined ? absent('PK') : equal('eventCount', known.eventCount),
      },
      ...pictureJob(account, now),
    ],
    events: [accountEvent('social_account.connected', last, data)],
    audit: {
      by,
      action: 'social_account.connected',
      target: { type: 'social_account', id },
      after: { platform, username },
    },
  }))
}

/**
 * Stores a connection in one write, after that of a shared authorization: a new account, or the same one again with its
 * id, history, and posts. The version increases, so that a running refresh cannot overwrite the new credentials. A new
 * account is tried first, which needs no read, unless one fits next to the write of the grant. An existing account keeps its
 * `integratorId` unless there is another one.
 */
export const connectAccount = async (
  ctx: Context,
  workspace: Workspace,
  connection: Connection,
  { by, integratorId }: { by: Actor; integratorId?: string | undefined },
): Promise<ShownAccount> => {
  const { credentials, sharedGrant, accessEndsAtMs, ...shown } = connection
  const { platform } = connection
  const workspaceId = workspace.id
  const key = { workspaceId, id: accountId(workspaceId, platform, connection.externalId) }
  const sealed = await encryptCredentials(ctx, workspace, key, credentials)
  let asRead: SocialAccount | undefined
  if (sharedGrant !== undefined) {
    const holder = addGrantHolder(ctx, { ...key, platform, sharedGrant })
    asRead = (await Promise.all([socialAccounts.get(ctx, key), holder]))[0]
  }
  const stored = {
    credentials: sealed,
    ...(sharedGrant === undefined ? {} : { sharedGrant }),
    ...(integratorId === undefined ? {} : { integratorId }),
  }
  return retryOnConflict(connectRetries, async (isFirst) => {
    const known = isFirst ? asRead : await socialAccounts.get(ctx, key)
    const owner = integratorId ?? known?.integratorId
    const account = {
      ...key,
      ...shown,
      isConnected: true,
      needsReconnect: false,
      ...(owner === undefined ? {} : { integratorId: owner }),
      ...(known?.pictureKey === undefined ? {} : { pictureKey: known.pictureKey }),
      ...accessEnd(accessEndsAtMs).set,
    }
    await writeAccount(ctx, workspace, { account, stored, known }, by)
    const audit = { userId: by.userId ?? undefined, workspaceId, socialAccountId: key.id, platform }
    logSecurity(ctx, 'connection_created', audit)
    return account
  })
}
