import middy from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda'
import * as z from 'zod/mini'
import { type Context, lambdaContext, perContext } from '../context.ts'
import { authenticate } from './authenticate.ts'
import { authorize } from './authorize.ts'
import type { Access, Call, Contract } from './contract.ts'
import { withinDeadline } from './deadline.ts'
import { envelope, failure, strictTransport, success } from './envelope.ts'
import { type Exchange, header, openExchange } from './exchange.ts'
import { idempotency } from './idempotency.ts'
import { unlessKnown } from './not-modified.ts'
import { parseInput } from './parse-input.ts'
import { readBody } from './read-body.ts'
import { unfinishedInTime } from './unavailable.ts'

/** A Lambda handler that carries its contract; `withContext` is the same handler over another context. */
export interface Endpoint<A extends Access = Access, P = unknown, Q = unknown, B = unknown, D = unknown> {
  (event: APIGatewayProxyEvent, context: LambdaContext): Promise<APIGatewayProxyResult>
  readonly contract: Contract<A, P, Q, B, D>
  withContext(ctx: Context): (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>
}

/** What a handler gives back beside plain data: data with headers, or a raw body outside the envelope. */
export class Reply<D> {
  readonly data: D
  readonly headers: Readonly<Record<string, string>>
  constructor(data: D, headers: Readonly<Record<string, string>>) {
    this.data = data
    this.headers = headers
  }
}

/** A body that leaves as it is, outside the envelope (openapi.json, the reference page, health). */
export class Raw {
  readonly body: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  constructor(body: string, contentType: string, headers: Readonly<Record<string, string>> = {}) {
    this.body = body
    this.contentType = contentType
    this.headers = headers
  }
}

const finish = (exchange: Exchange, result: unknown): APIGatewayProxyResult => {
  const { contract } = exchange
  if (result instanceof Raw) {
    const own = {
      'Content-Type': result.contentType,
      'X-Request-Id': exchange.requestId,
      'Strict-Transport-Security': strictTransport,
    }
    const headers = { ...own, ...exchange.headers, ...result.headers }
    return { statusCode: contract.status, headers, body: result.body }
  }
  const data = result instanceof Reply ? result.data : result
  const shown = contract.data === undefined ? null : z.parse(contract.data, data)
  if (result instanceof Reply) Object.assign(exchange.headers, result.headers)
  return success(exchange, contract.status, shown)
}

/** An endpoint: contract first, then a short handler that returns plain data. */
export const endpoint = <
  const A extends Access,
  D,
  P = Record<string, never>,
  Q = Record<string, never>,
  B = undefined,
>(
  contract: Contract<A, P, Q, B, D>,
  handle: (call: Call<A, P, Q, B>) => D | Reply<D> | Raw | Promise<D | Reply<D> | Raw>,
): Endpoint<A, P, Q, B, D> => {
  // The chain knows contracts only by their common shape; what a route's schemas parse is what its handler is typed with.
  const plain = contract as unknown as Contract
  const chain = middy<Exchange, APIGatewayProxyResult>({ timeoutEarlyInMillis: 0 })
    .use(envelope())
    .use(readBody())
    .use(authenticate())
    .use(authorize())
    .use(idempotency())
    .use(parseInput())
    .handler(async (exchange) => {
      const call = {
        ctx: exchange.ctx,
        ...exchange.input,
        prefetched: exchange.prefetched,
        idempotencyWrites: exchange.idempotencyWrites,
        principal: exchange.principal,
        workspace: exchange.workspace,
        member: exchange.member,
        request: {
          id: exchange.requestId,
          ip: exchange.event.requestContext.identity.sourceIp,
          userAgent: (header(exchange.event, 'User-Agent') ?? '').slice(0, 200),
          ifMatch: header(exchange.event, 'If-Match'),
          cookies: header(exchange.event, 'Cookie'),
        },
      }
      return unlessKnown(exchange, finish(exchange, await handle(call as unknown as Call<A, P, Q, B>)))
    })
  const bind = perContext((ctx) => (event: APIGatewayProxyEvent, context?: LambdaContext) => {
    const exchange = openExchange(ctx, plain, event)
    // Outside Lambda there is no context to hand on, and no end of the time.
    const lambda = context ?? ({} as LambdaContext)
    return withinDeadline(
      lambda,
      () => chain(exchange, lambda),
      (mayHaveWritten) => failure(exchange, unfinishedInTime(exchange, mayHaveWritten)),
    )
  })
  const handler = async (event: APIGatewayProxyEvent, context: LambdaContext) => bind(lambdaContext())(event, context)
  return Object.assign(handler, { contract, withContext: (ctx: Context) => bind(ctx) })
}
