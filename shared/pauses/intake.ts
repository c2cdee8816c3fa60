import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Contract } from '../http/contract.ts'

/** The row with the pauses of an operator. */
export const pausesKey: Key = { PK: 'PAUSES', SK: 'PAUSES' }

/** The keys to read with a call that may change something, for `isIntakePaused`. */
export const intakeKeys = ({ method }: Pick<Contract, 'method'>): readonly Key[] =>
  method === 'GET' ? [] : [pausesKey]

/**
 * Whether an operator has paused the intake: no caller may change anything. Decided: the name of the table does not matter
 * here; a restored table accepts changes, and sends nothing. Every function contains this check, so it parses no more than
 * it needs.
 */
export const isIntakePaused = (read: BatchRows): boolean => {
  const { pauses } = read.item(pausesKey) ?? {}
  return Array.isArray(pauses) && pauses.some(({ scope }) => scope?.kind === 'deployment' && scope.intake === true)
}

export const intakeRefusal = (): Refusal =>
  new Refusal(
    'unavailable',
    'The service takes no changes while its operator restores it. Nothing was changed. Try again in a few minutes.',
    { code: 'unavailable', retryAfterSeconds: 60 },
  )
