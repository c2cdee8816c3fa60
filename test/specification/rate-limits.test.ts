import { holds } from './check.ts'
import { rateLimits } from './rate-limits.ts'

// No overrides: the default limits of the service.
holds(rateLimits, { rateLimits: {} })
