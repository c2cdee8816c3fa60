import { absent, allOf, anyOf, atLeast, type Condition, equal } from '../../db/expression.ts'
import { leaseFree } from '../../db/lease.ts'
import { failuresUntilFailing } from './policy.ts'
import type { Health } from './row.ts'
import { healthLifecycle } from './transitions.ts'

// The states of `state.ts` as conditions of DynamoDB.

/** Enough attempts in a row have failed: a success in between resets the count. */
export const mayFail: Condition = allOf(healthLifecycle.when('fail'), atLeast('failures', failuresUntilFailing))

/** The endpoint has no row yet, or responds in time. */
export const maySlowDown: Condition = anyOf(absent('PK'), healthLifecycle.when('slowDown'))

/** No drain holds the endpoint, and its state is the one that was read. */
export const mayLease = ({ state }: Health, nowMs: number): Condition =>
  allOf(equal('state', state), leaseFree('leaseUntilMs', nowMs))

/** The lease is still held. */
export const ownsLease = ({ leaseUntilMs }: Health): Condition => equal('leaseUntilMs', leaseUntilMs)

/** The same, and the state is the one that was leased. */
export const ownsLeaseInState = (leased: Health): Condition => allOf(ownsLease(leased), equal('state', leased.state))
