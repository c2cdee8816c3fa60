import { absent, anyOf, atMost, type Condition } from './expression.ts'

/** Nobody has the lease of a row: it was never taken, or has ended. */
export const leaseFree = (name: string, nowMs: number): Condition => anyOf(absent(name), atMost(name, nowMs))
