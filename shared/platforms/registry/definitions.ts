// `npm run platforms` writes this file.
import { definition as bluesky } from '../bluesky/definition.ts'
import { definition as discord } from '../discord/definition.ts'
import { definition as facebook } from '../facebook/definition.ts'
import { definition as instagram } from '../instagram/definition.ts'
import { definition as linkedin } from '../linkedin/definition.ts'
import { definition as mastodon } from '../mastodon/definition.ts'
import { definition as nostr } from '../nostr/definition.ts'
import { definition as pinterest } from '../pinterest/definition.ts'
import { definition as reddit } from '../reddit/definition.ts'
import { definition as slack } from '../slack/definition.ts'
import { definition as threads } from '../threads/definition.ts'
import { definition as tiktok } from '../tiktok/definition.ts'
import { definition as wordpress } from '../wordpress/definition.ts'
import { definition as x } from '../x/definition.ts'
import { definition as youtube } from '../youtube/definition.ts'

export const definitionsById = {
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
