import { absent, anyOf, atMost, type Condition } from './expression.ts'

/** The lease of a row is free: it was never taken, or has ended. */
export const leaseFree = (name: string, nowMs: number): Condition => anyOf(absent(name), atMost(name, nowMs))
