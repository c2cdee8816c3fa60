import type { ErrorCode } from '../../shared/errors/catalog.ts'

/** Headers that API Gateway puts on answers it makes by itself, where our functions never run. */
export const ownHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
}

/** The error envelope as text. */
export const refusalText = (error: string, code: ErrorCode): string => JSON.stringify({ success: false, error, code })

export const unknownRoute = refusalText(
  'No route has this path. Check its spelling, and remove a slash at its end.',
  'route_not_found',
)
export const unknownMethod = refusalText(
  'This path does not have this method. The header Allow lists those it has.',
  'method_not_allowed',
)
export const rateLimited = refusalText('Rate limit exceeded', 'rate_limited')

const tryAgain = 'Unexpected server error. Retry; if it persists, contact support with the request ID.'

const inDoubt =
  'The service could not finish in time, and this request may have been carried out. Check before you repeat it.'

/** What a gateway response type answers (API Gateway guide, gateway response types, read 2026-11-21). */
const answers: Readonly<Record<string, { status: number; body: string; headers?: Readonly<Record<string, string>> }>> =
  {
    ACCESS_DENIED: { status: 403, body: refusalText('Access denied.', 'forbidden') },
    BAD_REQUEST_BODY: { status: 400, body: refusalText('The request could not be read.', 'invalid_input') },
    BAD_REQUEST_PARAMETERS: { status: 400, body: refusalText('The request could not be read.', 'invalid_input') },
    // Lambda had no room for one more, or its function died.
    INTEGRATION_FAILURE: {
      status: 503,
      body: refusalText(inDoubt, 'outcome_unknown'),
      headers: { 'Retry-After': '5' },
    },
    INTEGRATION_TIMEOUT: { status: 504, body: refusalText(inDoubt, 'timeout'), headers: { 'Retry-After': '5' } },
    // Where no method of the API matches, API Gateway calls it a missing token.
    MISSING_AUTHENTICATION_TOKEN: { status: 404, body: unknownRoute },
    RESOURCE_NOT_FOUND: { status: 404, body: unknownRoute },
    QUOTA_EXCEEDED: { status: 429, body: rateLimited, headers: { 'Retry-After': '60' } },
    REQUEST_TOO_LARGE: {
      status: 413,
      body: refusalText('The body is too large. Send at most 1 MiB.', 'body_too_large'),
    },
    THROTTLED: { status: 429, body: rateLimited, headers: { 'Retry-After': '1' } },
    // Only the answers for unknown paths and methods read the content type at the gateway.
    UNSUPPORTED_MEDIA_TYPE: { status: 404, body: unknownRoute },
    WAF_FILTERED: { status: 403, body: refusalText('The request was blocked by the firewall.', 'forbidden') },
    DEFAULT_4XX: { status: 400, body: refusalText('The request could not be accepted.', 'invalid_input') },
    DEFAULT_5XX: { status: 500, body: refusalText(tryAgain, 'internal_error') },
  }

/** Header mappings of API Gateway: literals are in single quotes. */
export const literals = (prefix: string, headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${prefix}.header.${name}`, `'${value}'`]))

/** The gateway responses of the API: even a 413 or a 5xx of API Gateway itself carries the error envelope. */
export const gatewayAnswers = Object.fromEntries(
  Object.entries(answers).map(([type, { status, body, headers }]) => [
    type,
    {
      // The two defaults stand for many: they keep the status that API Gateway chose.
      ...(type.startsWith('DEFAULT_') ? {} : { statusCode: String(status) }),
      responseParameters: {
        ...literals('gatewayresponse', { ...ownHeaders, ...headers }),
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
      },
      responseTemplates: { 'application/json': body },
    },
  ]),
)
