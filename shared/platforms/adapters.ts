import type { PlatformId } from '../resources.ts'
import type { PlatformAdapter } from './adapter.ts'
import { bluesky } from './bluesky/index.ts'
import { discord } from './discord/index.ts'
import { facebook } from './facebook/index.ts'
import { instagram } from './instagram/index.ts'
import { linkedin } from './linkedin/index.ts'
import { pinterest } from './pinterest/index.ts'
import { reddit } from './reddit/index.ts'
import { slack } from './slack/index.ts'
import { threads } from './threads/index.ts'
import { tiktok } from './tiktok/index.ts'
import { x } from './x/index.ts'
import { youtube } from './youtube/index.ts'

const adapters = {
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
} satisfies Record<PlatformId, PlatformAdapter>

/** A platform with the calls that publish. For workers and for endpoints that call the platform. */
export const adapterOf = (id: PlatformId): PlatformAdapter => adapters[id]
