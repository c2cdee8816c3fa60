import * as z from 'zod/mini'
import { described } from './described.ts'

/** Decided: the response of a deletion. */
export const Deleted = z.object({
  id: described(z.string(), 'The ID of what was deleted.'),
  deleted: described(z.literal(true), 'Always true.'),
})
