import * as z from 'zod/mini'

/** The integrator's own id of a customer, by which lists are filtered. */
export const ExternalIdFilter = z.string().check(z.minLength(1), z.maxLength(200))
