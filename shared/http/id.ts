import * as z from 'zod/mini'

/** The id of a resource as it stands in a path, a query or a body. */
export const Id = z.string().check(z.regex(/^[\w.-]{1,100}$/, { error: 'must be an id' }))

/** The path of a route about one resource. */
export const IdPath = z.object({ id: Id })
