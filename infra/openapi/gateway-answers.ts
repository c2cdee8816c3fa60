import { maxSpeechBytes } from '../../shared/ai/speech/request.ts'
import type { ErrorCode } from '../../shared/errors/catalog.ts'
import { maxInlineBytes } from '../../shared/media/create-request.ts'

/** Headers of responses that API Gateway generates itself, for which our functions never run. */
export const ownHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
}

/** A sentence and its code. */
export interface OwnError {
  text: string
  code: ErrorCode
}

/** The error envelope as text. The id of the request is a variable of API Gateway, unless there is none. */
export const errorText = (baseUrl: string, { text, code }: OwnError, requestId?: string): string =>
  JSON.stringify({ success: false, error: text, code, requestId, docUrl: `${baseUrl}/api/docs/errors/${code}` })

/** What API Gateway replaces by the id of the request. */
export const gatewayRequestId = '$context.extendedRequestId'

export const unknownRoute: OwnError = {
  text: 'No route has this path. Check its spelling. GET /api/docs lists all paths.',
  code: 'route_not_found',
}

/** Paths that callers tend to call with the wrong method, and what to call instead. */
const instead: Readonly<Record<string, string>> = {
  '/api/posts': ' To create a post, call POST /api/posts/schedule or POST /api/posts/publish-now.',
}

export const unknownMethod = (path: string, allow: string): OwnError => ({
  text: `This path does not have this method. It has ${allow}.` + (instead[path] ?? ''),
  code: 'method_not_allowed',
})
export const rateLimited: OwnError = { text: 'Rate limit exceeded', code: 'rate_limited' }

const tryAgain = 'Unexpected server error. Retry; if it persists, contact support with the request ID.'

const inDoubt =
  'The service could not finish in time, and this request may have been carried out. Check before you repeat it.'

interface OwnAnswer {
  status: number
  text: string
  code: ErrorCode
  headers?: Readonly<Record<string, string>>
}

const after = (seconds: number) => ({ 'Retry-After': String(seconds) })
const noRoute: OwnAnswer = { status: 404, ...unknownRoute }

/** The response of a gateway response type (API Gateway guide, gateway response types, read 2026-11-21). */
const answers: Readonly<Record<string, OwnAnswer>> = {
  ACCESS_DENIED: { status: 403, text: 'Access denied.', code: 'forbidden' },
  BAD_REQUEST_BODY: { status: 400, text: 'The request could not be read.', code: 'invalid_input' },
  BAD_REQUEST_PARAMETERS: { status: 400, text: 'The request could not be read.', code: 'invalid_input' },
  // Lambda had no room for one more, or its function died.
  INTEGRATION_FAILURE: { status: 503, text: inDoubt, code: 'outcome_unknown', headers: after(5) },
  INTEGRATION_TIMEOUT: { status: 504, text: inDoubt, code: 'timeout', headers: after(5) },
  // Where no method of the API matches, API Gateway calls it a missing token.
  MISSING_AUTHENTICATION_TOKEN: noRoute,
  RESOURCE_NOT_FOUND: noRoute,
  QUOTA_EXCEEDED: { status: 429, ...rateLimited, headers: after(60) },
  REQUEST_TOO_LARGE: {
    status: 413,
    text: `The body is too large. Send at most 1 MiB of JSON, ${maxSpeechBytes} bytes of a recording (POST /api/ai/transcribe), or a file of ${maxInlineBytes} bytes (POST /api/media). POST /api/media/upload-url takes larger files.`,
    code: 'body_too_large',
  },
  THROTTLED: { status: 429, ...rateLimited, headers: after(1) },
  // Only the responses for unknown paths and methods read the content type at the gateway.
  UNSUPPORTED_MEDIA_TYPE: noRoute,
  WAF_FILTERED: { status: 403, text: 'The request was blocked by the firewall.', code: 'forbidden' },
  DEFAULT_4XX: { status: 400, text: 'The request could not be accepted.', code: 'invalid_input' },
  DEFAULT_5XX: { status: 500, text: tryAgain, code: 'internal_error' },
}

/** Header mappings of API Gateway: literals are in single quotes. */
export const literals = (prefix: string, headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${prefix}.header.${name}`, `'${value}'`]))

/** The gateway responses of the API: even a 413 or a 5xx of API Gateway itself carries the error envelope. */
export const gatewayAnswers = (baseUrl: string) =>
  Object.fromEntries(
    Object.entries(answers).map(([type, { status, headers, ...error }]) => [
      type,
      {
        // The two defaults stand for many: they keep the status that API Gateway chose.
        ...(type.startsWith('DEFAULT_') ? {} : { statusCode: String(status) }),
        responseParameters: {
          ...literals('gatewayresponse', { ...ownHeaders, ...headers }),
          'gatewayresponse.header.X-Request-Id': 'context.extendedRequestId',
        },
        responseTemplates: { 'application/json': errorText(baseUrl, error, gatewayRequestId) },
      },
    ]),
  )
