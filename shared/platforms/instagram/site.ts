import type { LastingTokens } from '../graph/login.ts'
import type { GraphSite } from '../graph/site.ts'
import { definition } from './definition.ts'
import { classify } from './errors.ts'

/** Instagram with Instagram Login, at its own host. */
export const site: GraphSite = {
  platform: definition,
  version: definition.api.version,
  classify,
}

export const tokens: LastingTokens = { site, grant: 'ig' }
