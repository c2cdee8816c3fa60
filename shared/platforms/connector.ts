import type { Context } from '../context.ts'
import type { Connection } from './connection.ts'
import type { ConnectedAccount, Credentials } from './platform.ts'

/** What a person takes along on the way to a platform. */
export interface Departure {
  /** Random, for one use. */
  state: string
  redirectUri: string
  /** The S256 challenge of the verifier (RFC 7636); left out of the address where the platform knows no PKCE. */
  challenge: string
}

/** What a person comes back with. */
export interface Arrival {
  code: string
  redirectUri: string
  verifier: string
}

/** How the credentials of an account are kept alive, and given back. */
export interface Keeper {
  /** When the credentials stop working, in ms; undefined = never by time. */
  credentialsExpireAtMs?(credentials: Credentials): number | undefined
  /** New credentials for old; throws PlatformError `auth` when the connection is lost. */
  refresh?(ctx: Context, account: ConnectedAccount): Promise<Credentials>
  /** When the credentials are refreshed although nothing is published, so that they do not lapse, in ms; undefined = never. */
  renewAtMs?(credentials: Credentials): number | undefined
  /** Ends the connection at the platform; absent where a platform offers no way. */
  revoke?(ctx: Context, account: ConnectedAccount): Promise<void>
  /** In place of `revoke`, where accounts share an authorization (`Connection.sharedGrant`): asked of the last one. */
  leave?(ctx: Context, account: ConnectedAccount): Promise<void>
}

/** How accounts of a platform are connected in a browser. */
export interface Connector extends Keeper {
  /** The platform's page where a person lets the service in. */
  authorizeUrl(ctx: Context, departure: Departure): Promise<string>
  /** Every account that the login opens, ready to be kept; where there are several the person chooses. */
  connect(ctx: Context, arrival: Arrival): Promise<readonly Connection[]>
}
