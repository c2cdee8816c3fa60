import type { PlatformId } from '../resources.ts'
import { bluesky } from './bluesky/credential-lifecycle.ts'
import type { Connector, CredentialLifecycle } from './connector.ts'
import { discord } from './discord/connect.ts'
import { facebook } from './facebook/connect.ts'
import { instagram } from './instagram/connect.ts'
import { linkedin } from './linkedin/connect.ts'
import { pinterest } from './pinterest/connect.ts'
import { reddit } from './reddit/connect.ts'
import { slack } from './slack/connect.ts'
import { threads } from './threads/connect.ts'
import { tiktok } from './tiktok/connect.ts'
import { x } from './x/connect.ts'
import { youtube } from './youtube/connect.ts'

const connectors = {
  x,
  discord,
  pinterest,
  tiktok,
  threads,
  instagram,
  slack,
  youtube,
  facebook,
  reddit,
  linkedin,
} satisfies Record<Exclude<PlatformId, 'bluesky'>, Connector>

/** The platforms that are connected in a browser; Bluesky is connected by an app password. */
export const browserPlatforms = Object.keys(connectors) as (keyof typeof connectors)[]

export const connectorOf = (platform: keyof typeof connectors): Connector => connectors[platform]

/** How the credentials of a platform's accounts are refreshed and revoked; contains no code that publishes. */
export const credentialLifecycleOf = (platform: PlatformId): CredentialLifecycle =>
  platform === 'bluesky' ? bluesky : connectors[platform]
