import * as z from 'zod/mini'
import type { Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import type { RequestContext, Step } from './request-context.ts'
import { faultsOf, sentenceOf } from './sentence.ts'

/**
 * The keys that a route reads together with the authorization. Input that does not parse names no keys: it is rejected
 * later, in the usual order.
 */
export const peekInput = (request: RequestContext, workspaceId: string | undefined): readonly Key[] => {
  const { contract } = request
  if (contract.prefetch === undefined || request.unreadable) return []
  if (workspaceId === undefined && contract.access.kind === 'workspace') return []
  const peek = (schema: z.ZodMiniType | undefined, value: unknown) =>
    schema === undefined ? { success: true as const, data: undefined } : z.safeParse(schema, value)
  const params = peek(contract.params, request.params)
  const query = peek(contract.query, request.query)
  const isAbsent = contract.body === undefined || (contract.bodyOptional && request.json === undefined)
  const body = isAbsent || !contract.body ? undefined : parseBody(contract.body, request.json, contract.method)
  if (!params.success || !query.success || body?.success === false) return []
  return contract.prefetch({
    ctx: request.ctx,
    workspaceId: workspaceId ?? '',
    params: params.data,
    query: query.data,
    body: body?.data,
  })
}

type Parsed<T> = z.core.util.SafeParseResult<T>

/** A copy of a value without the member at a path. */
const without = (value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown => {
  if (typeof value !== 'object' || value === null || key === undefined || Array.isArray(value)) return value
  const { [key]: inner, ...others } = value as Readonly<Record<PropertyKey, unknown>>
  return rest.length === 0 ? others : { ...others, [key]: without(inner, rest) }
}

/**
 * Parses a body. Decided: null for a field that is not nullable counts as absent, because many serializers write it for an
 * omitted field. Not in a PATCH, where null asks to remove something (RFC 7396): it is refused where that is not possible.
 */
const parseBody = <T>(schema: z.ZodMiniType<T>, value: unknown, method: string): Parsed<T> => {
  const parsed = z.safeParse(schema, value, { reportInput: true })
  if (method === 'PATCH') return parsed
  const nulls = parsed.error?.issues.filter(({ input, path }) => input === null && path.length > 0) ?? []
  if (nulls.length === 0) return parsed
  const set = nulls.reduce((left, { path }) => without(left, path), value)
  return z.safeParse(schema, set, { reportInput: true })
}

/** The most errors that one response lists. */
const maxFaults = 50

/** Parses with a schema, or rejects with each field, its rule, and the fix. */
export const parseOrRefuse = <T>(schema: z.ZodMiniType<T>, value: unknown, root: string): T =>
  orRefuse(z.safeParse(schema, value, { reportInput: true }), schema, root)

/** The same for the body of a request. */
export const parseBodyOrRefuse = <T>(schema: z.ZodMiniType<T>, value: unknown, method: string): T =>
  orRefuse(parseBody(schema, value, method), schema, 'body')

const orRefuse = <T>(parsed: Parsed<T>, schema: z.ZodMiniType<T>, root: string): T => {
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
    const body = given && contract.body ? parseBodyOrRefuse(contract.body, json, contract.method) : undefined
    request.input = { params, query, body }
  },
})
