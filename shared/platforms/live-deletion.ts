import type { PlatformId } from '../resources.ts'

const notPermitted = 'needs a permission to delete posts that this service does not ask for.'
const notOffered = 'offers no call that deletes posts.'

/**
 * Whether live posts are deleted at a platform (`PlatformAdapter.remove`); otherwise why not, after the platform's name. Apart from
 * the definitions, whose rules are ten times as large as the route that needs this.
 */
export const liveDeletion: Readonly<Record<PlatformId, true | string>> = {
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
}
