import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import { type Context, type RequestInfo, withRequest } from '../context.ts'
import { BatchRows } from '../db/table.ts'
import type { Refusal } from '../errors/refusal.ts'
import type { BinaryBody, Contract } from './contract.ts'
import { withOffset } from './moment.ts'

/** A request as it passes through the middleware; each step adds its results. */
export interface RequestContext {
  /** The context of the request; knows the caller once they are authenticated. */
  ctx: Context
  readonly contract: Contract
  readonly event: APIGatewayProxyEvent
  /** The ID in the response: the caller's, if it sent one, else ours. */
  readonly requestId: string
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string | undefined>>
  /** The query parameter that was sent more than once, if any. */
  readonly repeated: string | undefined
  json: unknown
  /** The body, if the route accepts it as bytes. */
  binary: BinaryBody | undefined
  /** Path, query, and body as parsed by the contract's schemas. */
  input: { params: unknown; query: unknown; body: unknown }
  /** Why the body could not be read; returned only once the caller is authorized. */
  unreadable: Refusal | undefined
  /** The caller whose token or cookie was verified. */
  callerId: string | undefined
  prefetched: BatchRows
  headers: Record<string, string>
}

/** A middleware of requests. */
export type Step = MiddlewareObj<RequestContext, APIGatewayProxyResult>

/** A header by name, in any letter case. */
export const header = (event: APIGatewayProxyEvent, name: string): string | undefined => {
  const lowerName = name.toLowerCase()
  return Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === lowerName)?.[1]
}

/** Adds the caller to all following log lines. */
export const recordCaller = (request: RequestContext, caller: Partial<RequestInfo>): void => {
  const { ctx } = request
  if (ctx.request !== undefined) request.ctx = withRequest(ctx, { ...ctx.request, ...caller })
}

export const openRequest = (ctx: Context, contract: Contract, event: APIGatewayProxyEvent): RequestContext => {
  const requested = header(event, 'X-Request-Id')
  const clientRequestId = requested !== undefined && /^[\w.-]{1,128}$/.test(requested) ? requested : undefined
  const { identity, requestId: overridable, extendedRequestId = overridable } = event.requestContext
  const route = `${contract.method} ${contract.path}`
  // A nested call stores a separate response, or none.
  const { responseRow: _, ...own } = withRequest(ctx, {
    requestId: extendedRequestId,
    ...(clientRequestId === undefined ? {} : { clientRequestId }),
    route,
    ip: identity.sourceIp,
  })
  return {
    ctx: own,
    contract,
    event,
    requestId: clientRequestId ?? extendedRequestId,
    params: event.pathParameters ?? {},
    query: Object.fromEntries(
      Object.entries(event.queryStringParameters ?? {}).map(([name, value]) => [name, withOffset(value)]),
    ),
    repeated: Object.entries(event.multiValueQueryStringParameters ?? {}).find(
      ([, all]) => (all?.length ?? 0) > 1,
    )?.[0],
    json: undefined,
    binary: undefined,
    input: { params: {}, query: {}, body: undefined },
    unreadable: undefined,
    callerId: undefined,
    prefetched: new BatchRows([]),
    headers: {},
  }
}
