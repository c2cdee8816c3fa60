import * as z from 'zod/mini'
import { Refusal } from '../errors/refusal.ts'
import type { Step } from './request-context.ts'
import { faultsOf, sentenceOf } from './sentence.ts'

/** The most errors that one response lists. */
const maxFaults = 50

/** Parses with a schema, or rejects with each field, its rule, and the fix. */
export const parseOrRefuse = <T>(schema: z.ZodMiniType<T>, value: unknown, root: string): T => {
  const parsed = z.safeParse(schema, value, { reportInput: true })
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.flatMap((issue) => faultsOf(issue, { schema, root }))
  const [first] = faults
  throw new Refusal('invalid', sentenceOf(faults), {
    code: 'invalid_input',
    ...(first ? { field: first.field } : {}),
    issues: faults.slice(0, maxFaults),
  })
}

const nothing = z.strictObject({})

/** Last middleware before the handler: parses path, query, and body, in that order, with the contract's schemas. */
export const parseInput = (): Step => ({
  before: ({ event: request }) => {
    const { contract, json } = request
    if (request.unreadable) throw request.unreadable
    // A repeated parameter has no unambiguous value.
    if (request.repeated !== undefined) {
      throw new Refusal('invalid', `"${request.repeated}" appears more than once in the query. Send it once.`, {
        code: 'invalid_input',
        field: request.repeated,
      })
    }
    const params = contract.params ? parseOrRefuse(contract.params, request.params, 'path') : {}
    const query = parseOrRefuse<unknown>(contract.query ?? nothing, request.query, 'query')
    const isAbsent = json === undefined && (contract.bodyOptional === true || request.binary !== undefined)
    const given = contract.body && !isAbsent
    const body = given && contract.body ? parseOrRefuse(contract.body, json, 'body') : undefined
    request.input = { params, query, body }
  },
})
