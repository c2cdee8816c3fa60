// `npm run platforms` writes this file.
import { discord } from '../discord/connect.ts'
import { facebook } from '../facebook/connect.ts'
import { instagram } from '../instagram/connect.ts'
import { linkedin } from '../linkedin/connect.ts'
import { mastodon } from '../mastodon/connect.ts'
import { pinterest } from '../pinterest/connect.ts'
import { reddit } from '../reddit/connect.ts'
import { slack } from '../slack/connect.ts'
import { threads } from '../threads/connect.ts'
import { tiktok } from '../tiktok/connect.ts'
import { x } from '../x/connect.ts'
import { youtube } from '../youtube/connect.ts'

export const connectors = {
  x,
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
}
