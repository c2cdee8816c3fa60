import { readBlueskyLogin } from './bluesky/connect.ts'
import type { ReadLogin } from './connector.ts'
import type { FormPlatform } from './definitions.ts'
import { readNostrLogin } from './nostr/connect.ts'
import { readWordPressLogin } from './wordpress/connect.ts'

const readers: Record<FormPlatform, ReadLogin> = {
  bluesky: readBlueskyLogin,
  wordpress: readWordPressLogin,
  nostr: readNostrLogin,
}

/** Reads the form that connects an account; apart from the connectors, because most functions that use those connect none. */
export const readLoginOf = (platform: FormPlatform): ReadLogin => readers[platform]
