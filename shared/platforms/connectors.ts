import type { PlatformId } from '../resources.ts'
import { bluesky } from './bluesky/session.ts'
import type { Connector, CredentialLifecycle } from './connector.ts'
import type { BrowserPlatform, FormPlatform } from './definitions.ts'
import { discord } from './discord/connect.ts'
import { facebook } from './facebook/connect.ts'
import { instagram } from './instagram/connect.ts'
import { linkedin } from './linkedin/connect.ts'
import { mastodon } from './mastodon/connect.ts'
import { nostr } from './nostr/lifecycle.ts'
import { pinterest } from './pinterest/connect.ts'
import { reddit } from './reddit/connect.ts'
import { slack } from './slack/connect.ts'
import { threads } from './threads/connect.ts'
import { tiktok } from './tiktok/connect.ts'
import { wordpress } from './wordpress/revoke.ts'
import { x } from './x/connect.ts'
import { youtube } from './youtube/connect.ts'

const browserConnectors: Record<BrowserPlatform, Connector> = {
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
  mastodon,
}

const formLifecycles: Record<FormPlatform, CredentialLifecycle> = { bluesky, wordpress, nostr }

export const connectorOf = (platform: BrowserPlatform): Connector => browserConnectors[platform]

/** How the credentials of a platform's accounts are refreshed and revoked; contains no code that publishes. */
export const credentialLifecycleOf = (platform: PlatformId): CredentialLifecycle =>
  ({ ...browserConnectors, ...formLifecycles })[platform]
