import { allOf, type Condition, equal } from '../../../db/expression.ts'
import { leaseFree } from '../../../db/lease.ts'

// The states of `state.ts` as conditions of DynamoDB.

/** `pending` or `sending`. A worker whose lease has ended can still log its attempt if no other worker has. */
export const notEnded: Condition = equal('status', 'pending')

/** `pending`: no worker holds it. */
export const isPending = (nowMs: number): Condition => allOf(notEnded, leaseFree('leaseUntilMs', nowMs))
