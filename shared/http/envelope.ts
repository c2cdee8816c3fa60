import type { APIGatewayProxyResult } from 'aws-lambda'
import { mayHaveWritten } from '../db/writes-in-doubt.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import { statusOf } from '../errors/reason.ts'
import { Refusal } from '../errors/refusal.ts'
import { UnreadableRow } from '../errors/unreadable-row.ts'
import { logRefusal } from '../security-log.ts'
import { header, type RequestContext, type Step } from './request-context.ts'
import { unfinishedBy } from './unavailable.ts'

/** Browsers use https only, for a year, including subdomains (RFC 6797). */
export const strictTransport = 'max-age=31536000; includeSubDomains'

const common = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, ETag, Location, WWW-Authenticate, set-auth-token',
  'Strict-Transport-Security': strictTransport,
}

/** The page about a code, in the reference. */
const docUrlOf = ({ ctx }: RequestContext, code: ErrorCode): string => `${ctx.env('BASE_URL')}/api/docs/errors/${code}`

const etagOf = ({ contract }: RequestContext, data: unknown) => (contract.etag ? { ETag: contract.etag(data) } : {})

/** The success envelope around data. */
export const success = (request: RequestContext, status: number, data: unknown): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { ...common, 'X-Request-Id': request.requestId, ...request.headers, ...etagOf(request, data) },
  body: JSON.stringify({ success: true, data }),
})

/** How to authenticate (RFC 9110, 11.6.1; RFC 6750, 3): a rejected token is reported as `invalid_token`. */
const challenge = ({ event, contract }: RequestContext) =>
  contract.access.kind !== 'anyone' && header(event, 'Authorization') !== undefined
    ? 'Bearer error="invalid_token"'
    : 'Bearer'

/** Creates the response to a refused request. */
export type RefusalResponder = (request: RequestContext, refusal: Refusal) => APIGatewayProxyResult

/** The error envelope around a refusal. */
export const failure: RefusalResponder = (request, refusal) => {
  const { retryAfterSeconds, etag, extra, audit: _, ...details } = refusal.details
  logRefusal(request.ctx, refusal)
  return {
    statusCode: statusOf[refusal.reason],
    headers: {
      ...common,
      'X-Request-Id': request.requestId,
      ...request.headers,
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(etag === undefined ? {} : { ETag: etag }),
      ...(refusal.reason === 'unauthenticated' ? { 'WWW-Authenticate': challenge(request) } : {}),
    },
    body: JSON.stringify({
      success: false,
      error: refusal.message,
      ...details,
      ...extra,
      requestId: request.requestId,
      docUrl: docUrlOf(request, details.code),
    }),
  }
}

const ofNewerRelease = () =>
  new Refusal(
    'conflict',
    'A newer release of the service wrote this resource, and the running one cannot read it. Nothing was changed. Retry when the update is finished.',
    { code: 'newer_release' },
  )

/**
 * Outermost middleware: returns a refusal, a temporary failure as a 503 that states whether anything was changed, and any
 * other error as a 500 without details. `refuse` creates the responses.
 */
export const envelope = (refuse: RefusalResponder): Step => ({
  onError: ({ event: request, error }) => {
    if (error instanceof Refusal) return refuse(request, error)
    if (error instanceof UnreadableRow) {
      request.ctx.log.warn('row of a newer release', { reason: error.message })
      return refuse(request, ofNewerRelease())
    }
    const passing = unfinishedBy(request, error, mayHaveWritten())
    request.ctx.log.error(passing ? 'request unfinished' : 'request failed', {
      requestId: request.requestId,
      route: `${request.contract.method} ${request.contract.path}`,
      reason: error?.stack ?? String(error),
    })
    if (passing) return refuse(request, passing)
    return refuse(
      request,
      new Refusal('internal', 'Unexpected server error. Retry; if it persists, contact support with the request ID.', {
        code: 'internal_error',
      }),
    )
  },
})
