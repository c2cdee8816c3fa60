/** The table as the rest of the service uses it. */
export { ConditionFailed, TransactionFailed } from './condition-failed.ts'
export { type Item, type Key, keyOf } from './key.ts'
export { type Page, passOver, type QueryRequest, query, queryAll } from './query.ts'
export { batchGet, Found, get } from './read.ts'
export { transact, type Write } from './transaction.ts'
export { alter, put, update, updateFrom } from './write.ts'
