// `npm run platforms` writes this file.
import { bluesky } from '../bluesky/publish.ts'
import { discord } from '../discord/publish.ts'
import { facebook } from '../facebook/publish.ts'
import { instagram } from '../instagram/publish.ts'
import { linkedin } from '../linkedin/publish.ts'
import { mastodon } from '../mastodon/publish.ts'
import { nostr } from '../nostr/publish.ts'
import { pinterest } from '../pinterest/publish.ts'
import { reddit } from '../reddit/publish.ts'
import { slack } from '../slack/publish.ts'
import { threads } from '../threads/publish.ts'
import { tiktok } from '../tiktok/publish.ts'
import { wordpress } from '../wordpress/publish.ts'
import { x } from '../x/publish.ts'
import { youtube } from '../youtube/publish.ts'

export const adapters = {
  x,
  bluesky,
  threads,
  linkedin,
  instagram,
  tiktok,
  facebook,
  pinterest,
  youtube,
  reddit,
  discord,
  slack,
  mastodon,
  wordpress,
  nostr,
}
