// `npm run platforms` writes this file.
import { bluesky } from '../bluesky/lifecycle.ts'
import { nostr } from '../nostr/lifecycle.ts'
import { wordpress } from '../wordpress/lifecycle.ts'

export const lifecycles = {
  bluesky,
  wordpress,
  nostr,
}
