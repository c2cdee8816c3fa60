import middy from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda'
import { type Context, lambdaContext, perContext } from '../context.ts'
import type { BatchRows } from '../db/table.ts'
import type { BinaryBody, Contract } from '../http/contract.ts'
import { withinDeadline } from '../http/deadline.ts'
import { envelope, failure, type RefusalResponder } from '../http/envelope.ts'
import { unlessKnown } from '../http/etag.ts'
import { idempotency } from '../http/idempotency.ts'
import { parseInput } from '../http/parse-input.ts'
import { readBody } from '../http/read-body.ts'
import { type Raw, type Reply, respond } from '../http/reply.ts'
import { header, openRequest } from '../http/request-context.ts'
import { unfinishedInTime } from '../http/unavailable.ts'
import type { Member, Workspace } from '../workspaces/workspace.ts'
import type { Access, Principal } from './access.ts'
import type { AccessContext } from './access-context.ts'
import { authenticate } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { inProcessEvent, type SentInProcess, type VerifiedCaller } from './in-process.ts'

/** What a handler receives; `workspace` and `principal` exist if the access requires them. */
type Call<A extends Access, P, Q, B> = {
  ctx: Context
  params: P
  query: Q
  body: B
  /** The body, if it is not JSON (`binary` of the contract). */
  binary: BinaryBody | undefined
  /** Rows that the route names in `prefetch`, read together with the authorization. */
  prefetched: BatchRows
  request: {
    id: string
    ip: string
    userAgent: string
    ifMatch: string | undefined
    cookies: string | undefined
    /** The raw body, for a sender that signs its bytes. */
    rawBody: string
    contentType: string
    /** Any header, for a protocol that is not our own. */
    header(name: string): string | undefined
    stripeSignature: string | undefined
  }
} & (A extends { kind: 'anyone' } ? unknown : { principal: Principal }) &
  (A extends { kind: 'workspace' } ? { workspace: Workspace; member: Member } : unknown)

/** A Lambda handler that carries its contract; `withContext` returns the same handler with another context. */
export interface HttpEndpoint<A extends Access = Access, P = unknown, Q = unknown, B = unknown, D = unknown> {
  (event: APIGatewayProxyEvent, context: LambdaContext): Promise<APIGatewayProxyResult>
  readonly contract: Contract<A, P, Q, B, D>
  withContext(ctx: Context): (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>
}

/** An endpoint that can also be called within the process. */
export interface CallableEndpoint<A extends Access = Access, P = unknown, Q = unknown, B = unknown, D = unknown>
  extends HttpEndpoint<A, P, Q, B, D> {
  /**
   * A call within this process, by a caller whose token another protocol has verified. Every other rule of the route
   * applies. The deadline is that of the enclosing request.
   */
  callAs(ctx: Context, caller: VerifiedCaller, sent: SentInProcess): Promise<APIGatewayProxyResult>
}

const rawBodyOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString('utf8') : (body ?? '')

/**
 * Creates an endpoint: a contract, then a short handler that returns plain data. `refuse` creates the responses to refused
 * requests, by default the error envelope.
 */
export const endpoint = <
  const A extends Access,
  D,
  P = Record<string, never>,
  Q = Record<string, never>,
  B = undefined,
>(
  contract: Contract<A, P, Q, B, D>,
  handle: (call: Call<A, P, Q, B>) => D | Reply<D> | Raw | Promise<D | Reply<D> | Raw>,
  refuse: RefusalResponder = failure,
): CallableEndpoint<A, P, Q, B, D> => {
  // The middleware knows contracts only by their common type; the handler's types come from the route's schemas.
  const plain: Contract<Access> = contract
  // No built-in middleware of Middy fits: it expects the event of API Gateway, and this chain passes the request with what
  // is known about it (caller, rows, input), typed step by step. Parsing, validation, and errors follow from the contract
  // instead.
  const chain = middy<AccessContext, APIGatewayProxyResult>({ timeoutEarlyInMillis: 0 })
    .use(envelope(refuse))
    .use(readBody())
    .use(authenticate())
    .use(authorize())
    .use(idempotency())
    .use(parseInput())
    .handler(async (request) => {
      const call = {
        ctx: request.ctx,
        ...request.input,
        binary: request.binary,
        prefetched: request.prefetched,
        principal: request.principal,
        workspace: request.workspace,
        member: request.member,
        request: {
          id: request.requestId,
          ip: request.event.requestContext.identity.sourceIp,
          userAgent: (header(request.event, 'User-Agent') ?? '').slice(0, 200),
          ifMatch: header(request.event, 'If-Match'),
          cookies: header(request.event, 'Cookie'),
          rawBody: rawBodyOf(request.event),
          contentType: header(request.event, 'Content-Type') ?? '',
          header: (name: string) => header(request.event, name),
          stripeSignature: header(request.event, 'Stripe-Signature'),
        },
      }
      return unlessKnown(request, respond(request, await handle(call as unknown as Call<A, P, Q, B>)))
    })
  const open = (ctx: Context, event: APIGatewayProxyEvent, verified?: VerifiedCaller): AccessContext => ({
    ...openRequest(ctx, plain, event),
    contract: plain,
    verified,
    principal: undefined,
    workspace: undefined,
    member: undefined,
    noted: undefined,
    counted: undefined,
  })
  const bind = perContext((ctx) => (event: APIGatewayProxyEvent, context?: LambdaContext) => {
    const request = open(ctx, event)
    // Outside Lambda there is no Lambda context, and no deadline.
    const lambda = context ?? ({} as LambdaContext)
    return withinDeadline(
      lambda,
      () => chain(request, lambda),
      (mayHaveWritten) => refuse(request, unfinishedInTime(request, mayHaveWritten)),
    )
  })
  const handler = async (event: APIGatewayProxyEvent, context: LambdaContext) => bind(lambdaContext())(event, context)
  return Object.assign(handler, {
    contract,
    withContext: (ctx: Context) => bind(ctx),
    callAs: (ctx: Context, caller: VerifiedCaller, sent: SentInProcess) =>
      chain(open(ctx, inProcessEvent(ctx, plain, caller, sent), caller), {} as LambdaContext),
  })
}
