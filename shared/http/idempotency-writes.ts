import type { Write } from '../db/table.ts'

/** The writes that store a response for its Idempotency-Key, to be added to the transaction with the effect. */
export type IdempotencyWrites = (data: unknown, id?: string) => readonly Write[]

/** The name of that write in the transaction (`as`). */
export const idempotencyRecord = 'idempotency-record'

export const noIdempotencyKey: IdempotencyWrites = () => []
