import type { PlatformId } from '../resources.ts'

/** An account as its platform describes it at connect, with the credentials it gave. */
export interface Connection {
  platform: PlatformId
  providerName: string
  /** The platform's own id: a DID, a guild id. */
  externalId: string
  username: string | null
  displayName: string | null
  profileImageUrl: string | null
  credentials: Credentials
  details: Readonly<Record<string, string | number>>
  /**
   * The platform's id of the authorization, if accounts of several workspaces can share it:
   * `CredentialLifecycle.revokeSharedGrant`.
   */
  sharedGrant?: string | undefined
  /** `CredentialLifecycle.accessEndsAtMs` of the credentials. */
  accessEndsAtMs?: number | undefined
}

/** Decrypted credentials of an account; the fields depend on the platform. */
export type Credentials = Readonly<Record<string, string | number>>

/** The account that a call is made for. */
export interface ConnectedAccount {
  id: string
  workspaceId: string
  /** The platform's id of the account: a DID, a guild id. */
  externalId: string
  username: string | null
  credentials: Credentials
  /** Details stored at connect that are not secret, for example the account's server. */
  details: Readonly<Record<string, string | number>>
}
