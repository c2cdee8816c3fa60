import type { PlatformId } from '../resources.ts'

const notPermitted = 'needs a permission to delete posts that this service does not ask for.'
const notOffered = 'offers no call that deletes posts.'

const offers: Readonly<Partial<Record<PlatformId, true | string>>> = {
  x: true,
  bluesky: true,
  threads: `Threads ${notPermitted}`,
  linkedin: true,
  instagram: `Instagram ${notOffered}`,
  tiktok: `TikTok ${notOffered}`,
  facebook: true,
  pinterest: true,
  youtube: `YouTube ${notPermitted}`,
  reddit: `Reddit ${notPermitted}`,
  discord: true,
  slack: true,
  mastodon: true,
}

/**
 * Whether live posts are deleted at a platform (`PlatformAdapter.remove`); otherwise why not. Apart from the definitions,
 * whose rules are ten times as large as the route that needs this.
 */
export const liveDeletion = (id: PlatformId): true | string =>
  offers[id] ?? 'This service deletes no posts of that platform.'
