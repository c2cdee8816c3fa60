import * as z from 'zod/mini'
import { absent, anyOf, atMost, type Condition, equal } from './expression.ts'
import { leaseGraceMs, sweepAt } from './sweep-at.ts'

/** Between the end of a function's timeout and the end of its lease: for the clocks of two functions. */
const leaseMarginMs = 15_000

/** The duration of a lease for a function with this timeout: when the lease ends, the function has ended. */
export const leaseMsOf = (timeoutSeconds: number): number => timeoutSeconds * 1000 + leaseMarginMs

/** The lease of a row is free: it was never taken, or has expired. */
export const leaseFree = (name: string, nowMs: number): Condition => anyOf(absent(name), atMost(name, nowMs))

/** The attributes of a row that a function with this timeout leases now; the sweeper resumes its work if that dies. */
export const leaseOf = (id: string, nowMs: number, timeoutSeconds: number, extraMs = 0) => {
  const leaseUntilMs = nowMs + leaseMsOf(timeoutSeconds) + extraMs
  return { leaseUntilMs, ...sweepAt(id, leaseUntilMs + leaseGraceMs) }
}

interface LeaseSpec<Until, Token> {
  /** The attribute with the end of the lease. */
  until: Until
  /** The attribute with the fencing token: each claim increases it, so that the writes of an earlier holder fail. */
  token: Token
  /** The timeout of the worker that takes the lease. */
  timeoutSeconds: number
}

/** A lease of a row, in two of its attributes. */
export const lease = <const Until extends string, const Token extends string>(spec: LeaseSpec<Until, Token>) => ({
  untilMs: (nowMs: number): number => nowMs + leaseMsOf(spec.timeoutSeconds),
  isFree: (nowMs: number): Condition => leaseFree(spec.until, nowMs),
  ownsLease: (claimed: { readonly [Name in Token]: number }): Condition => equal(spec.token, claimed[spec.token]),
})

/** The attributes of a row with durable work (work.ts), for its schema. */
export const workFields = {
  /** The fencing token: each claim increases it, so that the writes of an earlier holder fail. */
  leaseToken: z.optional(z.int()),
  /** While a worker holds the row. */
  leaseUntilMs: z.optional(z.number()),
  /** The next step does not start before this time. */
  dueAtMs: z.optional(z.number()),
}

export type WorkRow = { [Name in keyof typeof workFields]?: z.infer<(typeof workFields)[Name]> }

/** What other writers add to a change that ends a worker's step: the worker can no longer write its result. */
export const revokedLease = { add: { leaseToken: 1 }, remove: ['leaseUntilMs'] } as const

/** A row that this worker holds. */
export type Claimed<Row> = Row & { leaseToken: number }

/** A row as a claim returned it. */
export const claimedOf = <Row extends WorkRow>(row: Row): Claimed<Row> => {
  const { leaseToken } = row
  if (leaseToken === undefined) throw new Error('a claim writes the token of its lease')
  return { ...row, leaseToken }
}

/** Another worker holds the row, or it was deleted. Unsaved results of this worker are recomputed, or not needed. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
  readonly isDeleted: boolean
  constructor(isDeleted: boolean) {
    super(isDeleted ? 'the row was deleted' : 'another worker holds the row')
    this.isDeleted = isDeleted
  }
}
