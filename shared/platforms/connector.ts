import type { Context } from '../context.ts'
import type { ConnectedAccount, Connection, Credentials } from './account.ts'

/** What the service sends to the authorization endpoint of a platform (RFC 6749, section 4.1.1). */
export interface AuthorizationRequest {
  /** Random, for one use. */
  state: string
  redirectUri: string
  /** The origin of the server that the person named, if the definition asks for one. */
  server?: string | undefined
  /** The S256 challenge of the code verifier (RFC 7636); left out of the URL if the platform does not support PKCE. */
  codeChallenge: string
}

/** What the platform's redirect to the callback contains, with the verifier of the request (RFC 6749, section 4.1.2). */
export interface AuthorizationCallback {
  code: string
  redirectUri: string
  codeVerifier: string
  /** That of the request. */
  server?: string | undefined
}

/** How the credentials of an account are refreshed and revoked. */
export interface CredentialLifecycle {
  /** When the credentials expire, in ms; undefined = never by time. */
  credentialsExpireAtMs?(credentials: Credentials): number | undefined
  /** Exchanges credentials for new ones; throws PlatformError `auth` if the connection is lost. */
  refresh?(ctx: Context, account: ConnectedAccount): Promise<Credentials>
  /** When unused credentials must be refreshed so that they do not expire, in ms; undefined = never. */
  renewAtMs?(credentials: Credentials): number | undefined
  /** When the access ends unless the account is connected again, in ms; undefined = a refresh extends it. */
  accessEndsAtMs?(credentials: Credentials): number | undefined
  /** Revokes the connection at the platform; absent if the platform offers no way. */
  revoke?(ctx: Context, account: ConnectedAccount): Promise<void>
  /** Replaces `revoke` if accounts share a grant (`Connection.sharedGrant`): called for the last of them. */
  revokeSharedGrant?(ctx: Context, account: ConnectedAccount): Promise<void>
}

/** How accounts of a platform are connected in a browser. */
export interface Connector extends CredentialLifecycle {
  /** The URL of the platform's authorization endpoint, where a person grants access. */
  authorizationUrl(ctx: Context, request: AuthorizationRequest): Promise<string>
  /** Every account that the login grants access to, ready to be stored; if there are several, the person selects. */
  connect(ctx: Context, callback: AuthorizationCallback): Promise<readonly Connection[]>
}

/**
 * Reads a login from the fields of a platform's form, and throws a refusal that names the wrong one. The result signs in
 * and returns the account that was reached.
 */
export type ReadLogin = (sent: Readonly<Record<string, string>>) => (ctx: Context) => Promise<Connection>
