import type { PlatformId } from '../resources.ts'

const notOffered = 'offers no call that deletes posts.'

const offers: Readonly<Partial<Record<PlatformId, true | string>>> = {
  x: true,
  bluesky: true,
  threads: true,
  linkedin: true,
  instagram: `Instagram ${notOffered}`,
  tiktok: `TikTok ${notOffered}`,
  facebook: true,
  pinterest: true,
  youtube: true,
  reddit: true,
  discord: true,
  slack: true,
  mastodon: true,
  wordpress: true,
  nostr: true,
}

/**
 * Whether live posts are deleted at a platform (`PlatformAdapter.remove`); otherwise why not. Apart from the definitions,
 * whose rules are ten times as large as the route that needs this.
 */
export const liveDeletion = (id: PlatformId): true | string =>
  offers[id] ?? 'This service deletes no posts of that platform.'
