import * as z from 'zod/mini'
import type { Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import type { RequestContext, Step } from './request-context.ts'
import { faultsOf, sentenceOf } from './sentence.ts'

/**
 * The keys that a route wants to read together with the authorization. Input that does not parse names no keys: it is
 * rejected later, in its turn.
 */
export const peekInput = (request: RequestContext, workspaceId: string | undefined): readonly Key[] => {
  const { contract } = request
  if (contract.prefetch === undefined || request.unreadable) return []
  if (workspaceId === undefined && contract.access.kind === 'workspace') return []
  const peek = (schema: z.ZodMiniType | undefined, value: unknown) =>
    schema === undefined ? { success: true as const, data: undefined } : z.safeParse(schema, value)
  const params = peek(contract.params, request.params)
  const query = peek(contract.query, request.query)
  const body = contract.bodyOptional && request.json === undefined ? undefined : peek(contract.body, request.json)
  if (!params.success || !query.success || body?.success === false) return []
  return contract.prefetch({
    ctx: request.ctx,
    workspaceId: workspaceId ?? '',
    params: params.data,
    query: query.data,
    body: body?.data,
  })
}

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
