import type { PlatformId } from '../resources.ts'
import type { Connector, CredentialLifecycle } from './connector.ts'
import type { BrowserPlatform } from './definitions.ts'
import { connectors } from './registry/connectors.ts'
import { lifecycles } from './registry/lifecycles.ts'

export const connectorOf = (platform: BrowserPlatform): Connector => connectors[platform]

/** How the credentials of a platform's accounts are refreshed and revoked; contains no code that publishes. */
export const credentialLifecycleOf = (platform: PlatformId): CredentialLifecycle =>
  ({ ...connectors, ...lifecycles })[platform]
