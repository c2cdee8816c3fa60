import { type GraphSite, graphVersion } from '../graph/site.ts'
import type { LastingTokens } from '../graph/tokens.ts'
import { card } from './card.ts'
import { verdictOf } from './errors.ts'

/** Instagram with its own login, at a host of its own. */
export const site: GraphSite = { platform: { name: card.name, id: 'instagram' }, version: graphVersion, verdictOf }

export const tokens: LastingTokens = { site, grant: 'ig' }
