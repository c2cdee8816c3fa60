import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
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
  isConnected: z.boolean(),
  needsReconnect: z.boolean(),
  /** The encrypted JSON of the platform's credentials. */
  credentials: z.string(),
  /** Increases with every stored refresh, so that two refreshes cannot overwrite each other. */
  credentialsVersion: z.int(),
  refreshLeaseUntilMs: z.optional(z.number()),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The authorization at the platform that accounts of other workspaces may share. */
  sharedGrant: z.optional(z.string()),
  /** Counts the losses of the connection; makes the event of each one unique. */
  losses: z.int(),
  /** The id of the event of the last loss. */
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
export const isUsable = (account: SocialAccount): boolean => account.isConnected && !account.needsReconnect

/**
 * The same identity in the same workspace is always the same account, so that a reconnect keeps its id and its posts.
 */
export const accountId = (workspaceId: string, platform: string, externalId: string): string =>
  stableId('acc', workspaceId, platform, externalId)

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
  .extend(shown, { providerId: z.string() })
  .register(z.globalRegistry, { id: 'SocialAccount' })

export const viewAccount = (account: SocialAccount): z.infer<typeof SocialAccountView> => ({
  ...account,
  isConnected: isUsable(account),
  providerId: account.platform,
})
