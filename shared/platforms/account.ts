/** Decrypted credentials of an account; each platform has its own fields. */
export type Credentials = Readonly<Record<string, string | number>>

/** The account that a call is made for. */
export interface ConnectedAccount {
  id: string
  workspaceId: string
  /** The platform's id of the account: a DID, a guild id. */
  externalId: string
  username: string | null
  credentials: Credentials
  /** Facts stored at connect that are not secret, for example the account's server. */
  details: Readonly<Record<string, string | number>>
}
