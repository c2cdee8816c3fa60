import * as z from 'zod/mini'

/** Decided: the response of a deletion. */
export const Deleted = z.object({ id: z.string(), deleted: z.literal(true) })
