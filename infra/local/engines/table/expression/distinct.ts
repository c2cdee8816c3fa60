import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../../aws-server.ts'
import type { Term } from './nodes.ts'
import type { Reader } from './reader.ts'

/** Throws if the first operand of an operator or function is a path that also occurs as another operand. */
export const assertDistinct = (reader: Reader, sign: string, first: Term, ...others: readonly Term[]): void => {
  if (first.is !== 'path') return
  const same = others.some((other) => other.is === 'path' && isDeepStrictEqual(other.path, first.path))
  if (!same) return
  throw new Fault(
    'ValidationException',
    `Invalid ${reader.what}: The first operand must be distinct from the remaining operands for this operator or function; operator: ${sign}, first operand: [${first.path.join(', ')}]`,
  )
}
