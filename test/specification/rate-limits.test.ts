import { holds } from './check.ts'
import { rateLimits } from './rate-limits.ts'

// Nothing in place of the limits: those that the service has by itself.
holds(rateLimits, { rateLimits: {} })
