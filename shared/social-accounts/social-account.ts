import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { stableId } from '../ids.ts'
import { platformIds } from '../resources.ts'

/** A connected account as stored; its tokens are encrypted. */
export const SocialAccount = z.object({
  id: z.string(),
  workspaceId: z.string(),
  platform: z.enum(platformIds),
  /** The platform's own id: a DID, a guild id. */
  externalId: z.string(),
  providerName: z.string(),
  username: z.nullable(z.string()),
  displayName: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
  /** The copy of that picture in the media bucket. */
  pictureKey: z.optional(z.string()),
  isConnected: z.boolean(),
  needsReconnect: z.boolean(),
  /** The encrypted JSON of the platform's credentials. */
  credentials: z.string(),
  /** Increases with every stored refresh, so that two refreshes cannot overwrite each other. */
  credentialsVersion: z.int(),
  leaseUntilMs: z.optional(z.number()),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The authorization at the platform that accounts of other workspaces may share. */
  sharedGrant: z.optional(z.string()),
  /** The integrator's own id of the owner of the account: `externalId` in the API. */
  integratorId: z.optional(z.string()),
  /** When the access ends unless the account is connected again: `CredentialLifecycle.accessEndsAtMs`. */
  accessEndsAt: z.optional(z.string()),
  /** Whether this connection had its `social_account.access_ending`. */
  accessEndReported: z.optional(z.boolean()),
  /** Counts the events about the account: each is in one transaction with its change. */
  eventCount: z.int(),
  /** The id of the last one. */
  lastEventId: z.optional(z.string()),
  createdAt: z.string(),
})
export type SocialAccount = z.infer<typeof SocialAccount>

export const socialAccounts = entity({
  type: 'SocialAccount',
  shape: SocialAccount,
  key: ({ workspaceId, id }: Pick<SocialAccount, 'workspaceId' | 'id'>) => ({
    PK: `WS#${workspaceId}`,
    SK: `ACCOUNT#${id}`,
  }),
})

/** Whether calls can be made for the account: it is connected, and its credentials were not rejected. */
export const isUsable = (account: Pick<SocialAccount, 'isConnected' | 'needsReconnect'>): boolean =>
  account.isConnected && !account.needsReconnect

/**
 * The same identity in the same workspace is always the same account, so that a reconnect keeps its id and its posts.
 */
export const accountId = (workspaceId: string, platform: string, externalId: string): string =>
  stableId('acc', workspaceId, platform, externalId)

export const isAccountId = (id: string): boolean => id.startsWith('acc_')

const shown = z.pick(SocialAccount, {
  id: true,
  providerName: true,
  username: true,
  displayName: true,
  profileImageUrl: true,
  isConnected: true,
  needsReconnect: true,
})

/** A social account as the API shows it, without tokens. */
export const SocialAccountView = z
  .extend(shown, {
    id: described(z.string(), 'The ID of the account, `acc_…`. It stays the same when the account is connected again.'),
    providerName: described(z.string(), 'The name of the platform, for people.'),
    username: described(
      z.nullable(z.string()),
      'The name of the account at the platform, without `@`; null if it has none.',
    ),
    displayName: described(z.nullable(z.string()), 'The name that the platform shows; null if it has none.'),
    profileImageUrl: described(
      z.nullable(z.string()),
      'The URL of the picture at the platform, which may expire; null without one.',
    ),
    pictureUrl: described(
      z.nullable(z.string()),
      'The URL of a copy of the picture that does not expire; null until it exists. An extension.',
    ),
    isConnected: described(z.boolean(), 'Whether the service can publish to the account now.'),
    needsReconnect: described(z.boolean(), 'Whether the platform rejected the credentials. Connect the account again.'),
    accessEndsAt: z.nullable(
      timestamp(
        'When the access ends unless the account is connected again, in UTC; null if the service renews it. An extension.',
      ),
    ),
    providerId: described(z.string(), 'The ID of the platform, such as `bluesky`.'),
    externalId: described(
      z.nullable(z.string()),
      'The id of the owner in your own system, as sent when the account was connected; null without one.',
    ),
  })
  .register(z.globalRegistry, { id: 'SocialAccount', description: 'A connected account of a platform.' })

/** An account without its credentials and its history. */
export type ShownAccount = z.infer<typeof shown> &
  Pick<SocialAccount, 'workspaceId' | 'platform' | 'integratorId' | 'accessEndsAt' | 'pictureKey'>

export const viewAccount = (account: ShownAccount, mediaUrl: string): z.infer<typeof SocialAccountView> => ({
  ...account,
  pictureUrl: account.pictureKey === undefined ? null : `${mediaUrl}/${account.pictureKey}`,
  isConnected: isUsable(account),
  accessEndsAt: account.accessEndsAt ?? null,
  providerId: account.platform,
  externalId: account.integratorId ?? null,
})
