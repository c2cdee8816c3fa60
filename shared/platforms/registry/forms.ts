// `npm run platforms` writes this file.
import { form as bluesky } from '../bluesky/form.ts'
import { form as discord } from '../discord/form.ts'
import { form as facebook } from '../facebook/form.ts'
import { form as instagram } from '../instagram/form.ts'
import { form as linkedin } from '../linkedin/form.ts'
import { form as mastodon } from '../mastodon/form.ts'
import { form as nostr } from '../nostr/form.ts'
import { form as pinterest } from '../pinterest/form.ts'
import { form as reddit } from '../reddit/form.ts'
import { form as slack } from '../slack/form.ts'
import { form as threads } from '../threads/form.ts'
import { form as tiktok } from '../tiktok/form.ts'
import { form as wordpress } from '../wordpress/form.ts'
import { form as x } from '../x/form.ts'
import { form as youtube } from '../youtube/form.ts'

export const forms = {
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
