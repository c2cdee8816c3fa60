import * as z from 'zod/mini'
import type { Key } from '../db/table.ts'
import type { RequestContext } from './request-context.ts'

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
