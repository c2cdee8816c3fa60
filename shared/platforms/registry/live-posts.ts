// `npm run platforms` writes this file.
import { live as bluesky } from '../bluesky/live.ts'
import { live as discord } from '../discord/live.ts'
import { live as facebook } from '../facebook/live.ts'
import { live as instagram } from '../instagram/live.ts'
import { live as linkedin } from '../linkedin/live.ts'
import { live as mastodon } from '../mastodon/live.ts'
import { live as nostr } from '../nostr/live.ts'
import { live as pinterest } from '../pinterest/live.ts'
import { live as reddit } from '../reddit/live.ts'
import { live as slack } from '../slack/live.ts'
import { live as threads } from '../threads/live.ts'
import { live as tiktok } from '../tiktok/live.ts'
import { live as wordpress } from '../wordpress/live.ts'
import { live as x } from '../x/live.ts'
import { live as youtube } from '../youtube/live.ts'

export const livePosts = {
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
