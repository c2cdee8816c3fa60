import type { Write } from '../db/table.ts'

/** The writes that remember an answer for its Idempotency-Key: to be put into the transaction that has the effect. */
export type IdempotencyWrites = (data: unknown, id?: string) => readonly Write[]

/** The name of that write in the transaction (`as`). */
export const idempotencyRecord = 'idempotency-record'

export const noIdempotencyKey: IdempotencyWrites = () => []
