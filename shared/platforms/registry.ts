import type { PlatformId } from '../resources.ts'
import { bluesky } from './bluesky/index.ts'
import { discord } from './discord/index.ts'
import type { Platform } from './platform.ts'

const platforms: Partial<Record<PlatformId, Platform>> = { bluesky, discord }

/** A platform with all it can do; for workers and the routes that speak to it. */
export const platformOf = (id: PlatformId): Platform => {
  const platform = platforms[id]
  if (!platform) throw new Error(`the platform ${id} is not built`)
  return platform
}
