import type { LastingTokens } from '../graph/login.ts'
import type { GraphSite } from '../graph/site.ts'
import { definition } from './definition.ts'
import { classify } from './errors.ts'

/** Threads at Meta's Graph, with its own host and version. */
export const site: GraphSite = { platform: definition, version: definition.api.version, classify }

export const tokens: LastingTokens = { site, grant: 'th' }
