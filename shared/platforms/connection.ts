import type { PlatformId } from '../resources.ts'
import type { Credentials } from './account.ts'

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
}
