// `npm run platforms` writes this file.
import { readLogin as bluesky } from '../bluesky/connect.ts'
import { readLogin as nostr } from '../nostr/connect.ts'
import { readLogin as wordpress } from '../wordpress/connect.ts'

export const formLogins = {
  bluesky,
  wordpress,
  nostr,
}
