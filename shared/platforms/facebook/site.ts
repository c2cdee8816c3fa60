import type { GraphSite } from '../graph/site.ts'
import { definition } from './definition.ts'
import { classify } from './errors.ts'

/** Facebook at Meta's Graph; operators may demand a proof of every call, so each one has it. */
export const site: GraphSite = {
  platform: definition,
  version: definition.api.version,
  appSecretProof: true,
  classify,
}
