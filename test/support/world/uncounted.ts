import type { RateLimits } from '../../../shared/limits/limits.ts'

/** For laws that call a thousand times what no limit is about: nothing is counted. */
export const uncounted: RateLimits = { general: null, auth: null, cli: null, ai: null }
