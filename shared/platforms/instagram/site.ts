import type { LastingTokens } from '../graph/login.ts'
import { type GraphSite, graphVersion } from '../graph/site.ts'
import { definition } from './definition.ts'
import { classify } from './errors.ts'

/** Instagram with its own login, at a host of its own. */
export const site: GraphSite = {
  platform: definition,
  version: graphVersion,
  classify,
}

export const tokens: LastingTokens = { site, grant: 'ig' }
