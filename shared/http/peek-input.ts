import * as z from 'zod/mini'
import type { Key } from '../db/table.ts'
import type { Exchange } from './exchange.ts'

/**
 * The keys a route wants read together with the authorization. Input that does not parse names no keys:
 * it is refused later, in its turn.
 */
export const peekInput = (exchange: Exchange, workspaceId: string | undefined): readonly Key[] => {
  const { contract } = exchange
  if (contract.prefetch === undefined || workspaceId === undefined || exchange.unreadable) return []
  const peek = (schema: z.ZodMiniType | undefined, value: unknown) =>
    schema === undefined ? { success: true as const, data: undefined } : z.safeParse(schema, value)
  const params = peek(contract.params, exchange.params)
  const query = peek(contract.query, exchange.query)
  const body = contract.bodyOptional && exchange.json === undefined ? undefined : peek(contract.body, exchange.json)
  if (!params.success || !query.success || body?.success === false) return []
  return contract.prefetch({ ctx: exchange.ctx, workspaceId, params: params.data, query: query.data, body: body?.data })
}
