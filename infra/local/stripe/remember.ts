import type { Answer } from '../pages/server.ts'
import { type Call, Refused } from '../platforms/standin.ts'
import type { StoredMap } from '../platforms/stored-map.ts'
import { otherParameters } from './refuse.ts'

/** A completed request with an Idempotency-Key. */
export interface Remembered {
  request: string
  answer: Answer
}

/**
 * Returns the first response for a known Idempotency-Key, including a failure. A request that is rejected before it is
 * carried out is not stored (docs.stripe.com/api/idempotent_requests).
 */
export const rememberAnswers =
  (known: StoredMap<Remembered>, carryOut: (call: Call) => Answer) =>
  (call: Call): Answer => {
    const key = call.headers['idempotency-key']
    if (call.method !== 'POST' || key === undefined) return carryOut(call)
    const request = `${call.path}\n${call.body}`
    const before = known.get(key)
    if (before !== undefined) {
      if (before.request !== request) throw otherParameters()
      return { ...before.answer, headers: { ...before.answer.headers, 'idempotent-replayed': 'true' } }
    }
    try {
      const answer = carryOut(call)
      known.set(key, { request, answer })
      return answer
    } catch (error) {
      if (error instanceof Refused && error.answer.status === 402) known.set(key, { request, answer: error.answer })
      throw error
    }
  }
