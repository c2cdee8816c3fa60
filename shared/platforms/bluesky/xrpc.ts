import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { allowedOrigins } from '../../net/address.ts'
import { type RequestBody, requestJson } from '../http.ts'
import { definition } from './definition.ts'
import { classifyBlueskyError } from './errors.ts'

interface Xrpc<T> {
  /** The server's address; a user may have given it. */
  service: string
  method: string
  token?: string
  query?: Readonly<Record<string, string>>
  /** A body makes it a procedure: JSON, bytes of a type, or none. */
  input?: { json: unknown } | { bytes: Uint8Array; type: string } | 'none'
  creates?: boolean
  reply: z.ZodMiniType<T>
}

const bodyOf = (input: Xrpc<unknown>['input']): { body?: RequestBody } =>
  input === undefined || input === 'none' ? {} : { body: input }

/** One XRPC call: a query without `input`, a procedure with it. */
export const xrpc = <T>(
  ctx: Context,
  { service, method, token, query, input, creates, reply }: Xrpc<T>,
): Promise<T> => {
  return requestJson(ctx, {
    platform: definition,
    method: input === undefined ? 'GET' : 'POST',
    base: service,
    path: `/xrpc/${method}`,
    ...(query ? { query } : {}),
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    ...bodyOf(input),
    creates: creates === true,
    guard: { allowedOrigins: allowedOrigins(ctx) },
    reply,
    classifyError: classifyBlueskyError,
  })
}
