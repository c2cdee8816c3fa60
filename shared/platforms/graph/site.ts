import type { PlatformDefinition } from '../definition.ts'
import type { ErrorClass, ErrorFacts } from '../platform-error.ts'

/** The Graph API's version for Facebook and Instagram; it lives until 2028-07-29 (platforms-a, 3.1). */
export const graphVersion = 'v25.0'

/** A refusal as Meta words it (platforms-a, 3.3). */
export interface GraphRefusal {
  code: number
  subcode: number | undefined
  words: string
}

/**
 * What a refusal means: a class, or `temporary`, which leaves a create open; our sentence, followed by Meta's own words
 * where it has no full stop; and what else is known.
 */
export type Verdict = readonly [ErrorClass | 'temporary', string, ErrorFacts?]

/** One of Meta's platforms, as the calls see it that all of them share. */
export interface GraphSite {
  platform: Pick<PlatformDefinition, 'name'> & { id: 'threads' | 'instagram' | 'facebook' }
  version: string
  /** Every call proves that it comes from the server of the app. */
  appSecretProof?: true
  /** The platform's own errors; what it does not know is sorted by the common ones. */
  verdictOf(refusal: GraphRefusal): Verdict | undefined
}
