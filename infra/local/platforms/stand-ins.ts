// `npm run platforms` writes this file.
import { bluesky } from './bluesky.ts'
import { discord } from './discord.ts'
import { facebook } from './facebook.ts'
import { instagram } from './instagram.ts'
import { linkedin } from './linkedin.ts'
import { mastodon } from './mastodon.ts'
import { nostr } from './nostr.ts'
import { pinterest } from './pinterest.ts'
import { reddit } from './reddit.ts'
import { slack } from './slack.ts'
import { threads } from './threads.ts'
import { tiktok } from './tiktok.ts'
import { wordpress } from './wordpress.ts'
import { x } from './x.ts'
import { youtube } from './youtube.ts'

export const standIns = {
  bluesky,
  discord,
  x,
  pinterest,
  threads,
  tiktok,
  instagram,
  slack,
  youtube,
  facebook,
  reddit,
  linkedin,
  mastodon,
  wordpress,
  nostr,
}
