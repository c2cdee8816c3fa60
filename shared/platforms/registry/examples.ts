// `npm run platforms` writes this file.
import { example as bluesky } from '../bluesky/example.ts'
import { example as discord } from '../discord/example.ts'
import { example as facebook } from '../facebook/example.ts'
import { example as instagram } from '../instagram/example.ts'
import { example as linkedin } from '../linkedin/example.ts'
import { example as mastodon } from '../mastodon/example.ts'
import { example as nostr } from '../nostr/example.ts'
import { example as pinterest } from '../pinterest/example.ts'
import { example as reddit } from '../reddit/example.ts'
import { example as slack } from '../slack/example.ts'
import { example as threads } from '../threads/example.ts'
import { example as tiktok } from '../tiktok/example.ts'
import { example as wordpress } from '../wordpress/example.ts'
import { example as x } from '../x/example.ts'
import { example as youtube } from '../youtube/example.ts'

export const examples = {
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
