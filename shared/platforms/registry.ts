import type { PlatformId } from '../resources.ts'
import { bluesky } from './bluesky/index.ts'
import { discord } from './discord/index.ts'
import { facebook } from './facebook/index.ts'
import { instagram } from './instagram/index.ts'
import { linkedin } from './linkedin/index.ts'
import { pinterest } from './pinterest/index.ts'
import type { Platform } from './platform.ts'
import { reddit } from './reddit/index.ts'
import { slack } from './slack/index.ts'
import { threads } from './threads/index.ts'
import { tiktok } from './tiktok/index.ts'
import { x } from './x/index.ts'
import { youtube } from './youtube/index.ts'

const platforms: Partial<Record<PlatformId, Platform>> = {
  x,
  bluesky,
  discord,
  pinterest,
  tiktok,
  threads,
  instagram,
  slack,
  youtube,
  facebook,
  reddit,
  linkedin,
}

/** A platform with all it can do; for workers and the routes that speak to it. */
export const platformOf = (id: PlatformId): Platform => {
  const platform = platforms[id]
  if (!platform) throw new Error(`the platform ${id} is not built`)
  return platform
}
