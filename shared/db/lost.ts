import { TransactionFailed } from './condition-failed.ts'

const failed = 'ConditionalCheckFailed'

/** Use `conditionFailed` with a name instead. Whether it was the condition of this write, the first one where none is named, that a transaction lost on, at least. */
export const isLost = (error: unknown, at = 0): boolean =>
  error instanceof TransactionFailed && error.codes[at] === failed

/** Use `onlyConditionFailed` with a name instead. The same where all other conditions would have held, that of an Idempotency-Key's record too. */
export const isOnlyLost = (error: unknown, at: number): boolean =>
  error instanceof TransactionFailed && error.codes.every((code, n) => (code === failed) === (n === at))
