import * as z from 'zod/mini'

/** Decided: what a deletion answers. */
export const Deleted = z.object({ id: z.string(), deleted: z.literal(true) })
