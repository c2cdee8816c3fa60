/** The table as the rest of the service uses it. */
export { ConditionFailed, TransactionFailed } from './condition-failed.ts'
export { type Item, type Key, keyOf } from './key.ts'
export { type Page, type QueryRequest, query, queryAll, scan, skipRows } from './query.ts'
export { BatchRows, batchGet, get } from './read.ts'
export { transact, type Write } from './transaction.ts'
export { put, update, updateOnly, updateReturningOld } from './write.ts'
