import * as z from 'zod/mini'
import { Refusal } from '../errors/refusal.ts'
import { described } from './described.ts'

/** The id of a resource in a path, a query, or a body. */
export const Id = z.string().check(z.regex(/^[\w.-]{1,100}$/, { error: 'must be an id' }))

/** The path of a route about one resource. */
export const idPath = (description: string) => z.object({ id: described(Id, description) })

/** Decided: a body can repeat the id in the path, and must then name the same resource. */
export const assertSameId = (inPath: string, inBody: string | undefined, field = 'id'): void => {
  if (inBody === undefined || inBody === inPath) return
  throw new Refusal('invalid', `"${field}" must be the id in the path. Send that one, or leave it out.`, {
    code: 'invalid_input',
    field,
  })
}
