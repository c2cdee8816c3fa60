import type { Write } from '../db/table.ts'

/** The writes that remember an answer for its Idempotency-Key: to be put into the transaction that has the effect. */
export type Once = (data: unknown, id?: string) => readonly Write[]

export const nothingRemembered: Once = () => []
