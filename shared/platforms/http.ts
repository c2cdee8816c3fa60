import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { OutboundError, type OutboundGuard, type OutboundResponse, type StreamedBody } from '../net/outbound.ts'
import { retryAfterSeconds, send } from '../net/send.ts'
import { assertOpen, type WithApi } from './api-end.ts'
import { classified, commonErrors, PlatformError } from './platform-error.ts'

const defaultTotalMs = 20_000
const connectMs = 5_000
const defaultMaxBytes = 64 * 1024

/** An error response as a platform's error table receives it; `body` is undefined if it is not JSON. */
export interface ErrorResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
  nowMs: number
}

/** The raw response, for calls that read its status, its headers, or a text that is not JSON. */
export interface PlatformResponse extends ErrorResponse {
  text: string
}

/** The body of a request: a form, a value as JSON, or bytes of a type, in memory or streamed. */
export type RequestBody =
  | { form: Readonly<Record<string, string>> }
  | { json: unknown }
  | { type: string; bytes: string | Uint8Array | StreamedBody }

interface PlatformRequest {
  platform: WithApi
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  base: string
  /** With `{name}` instead of each value of `params`; tests and traces see this form. */
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /**
   * A URL that the platform returned, used unchanged. `path` then only names the call, because the URL may contain a
   * token.
   */
  address?: string
  headers?: Readonly<Record<string, string>>
  body?: RequestBody
  /** The one call that makes a post public: if its response is lost, the outcome is unknown. */
  creates?: boolean
  totalMs?: number
  maxBytes?: number
  /** For a base URL that a user gave. */
  guard?: OutboundGuard
  /** The platform's error table. */
  classifyError(response: ErrorResponse): PlatformError
  /** Statuses beyond 2xx that are not errors of this call, such as YouTube's 308. */
  accepts?: readonly number[]
}

type Unanswered = Pick<PlatformRequest, 'creates'> & { platform: Pick<WithApi, 'id' | 'name'> }

/** No clear response: harmless before the publishing call; after it the outcome is unknown. */
export const unclearResponse = (
  { platform, creates }: Unanswered,
  detail: string,
  httpStatus?: number,
): PlatformError => {
  const info = { detail, ...(httpStatus === undefined ? {} : { httpStatus }) }
  return classified(platform.name, creates ? commonErrors.mayBeLive : commonErrors.noClearResponse, info)
}

const failure = (request: Unanswered, error: unknown) => {
  if (!(error instanceof OutboundError)) return error
  if (error.sent) return unclearResponse(request, error.code)
  const { name } = request.platform
  if (error.code === 'blocked_address' || error.code === 'bad_address') {
    return new PlatformError('blocked', `${name} server of this account cannot be called. ${error.message}`, {
      code: error.code,
    })
  }
  return classified(name, commonErrors.unreachable, { detail: error.code })
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const classifyStatus = (request: PlatformRequest, answer: PlatformResponse) => {
  const { status } = answer
  if (status < 400 || status === 408 || status >= 500) return unclearResponse(request, `HTTP ${status}`, status)
  return request.classifyError(answer)
}

const addressOf = ({ base, path, params = {}, query }: PlatformRequest) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return `${base.replace(/\/$/, '')}${filled}${query ? `?${new URLSearchParams(query)}` : ''}`
}

const encode = (body: RequestBody) => {
  if ('form' in body)
    return { type: 'application/x-www-form-urlencoded', bytes: String(new URLSearchParams(body.form)) }
  return 'json' in body ? { type: 'application/json', bytes: JSON.stringify(body.json) } : body
}

const bodyOf = (body: RequestBody | undefined) => {
  if (body === undefined) return { headers: {} }
  const { type, bytes } = encode(body)
  return { headers: { 'content-type': type }, body: bytes }
}

const plain = (ctx: Context, { status, headers, body }: OutboundResponse): PlatformResponse => {
  const text = Buffer.from(body).toString('utf8')
  return { status, headers, text, body: readJson(text), nowMs: ctx.clock.now() }
}

/** Headers in which platforms name a request, for their support. */
const requestIdHeaders = [
  'x-request-id',
  'x-transaction-id',
  'x-fb-trace-id',
  'x-li-uuid',
  'x-pinterest-rid',
  'x-slack-req-id',
  'x-tt-logid',
  'cf-ray',
]

/** The error with the request that caused it. */
const traced = (
  error: unknown,
  { method, path }: PlatformRequest,
  headers: Readonly<Record<string, string>> = {},
): unknown => {
  if (!(error instanceof PlatformError)) return error
  const name = requestIdHeaders.find((header) => headers[header] !== undefined)
  error.info.request = `${method} ${path}`
  if (name !== undefined) error.info.requestId = headers[name]?.slice(0, 100) ?? ''
  return error
}

/** Sends one request to a platform, unless it has closed its API; returns the raw response. Throws `PlatformError`. */
export const sendRequest = async (ctx: Context, request: PlatformRequest): Promise<PlatformResponse> => {
  const { platform, method, base, path, guard } = request
  assertOpen(ctx, platform)
  const effect = { service: platform.id, action: `${method} ${path}`, resource: URL.parse(base)?.origin ?? base }
  const { headers, ...body } = bodyOf(request.body)
  const outgoing = {
    url: request.address ?? addressOf(request),
    method,
    headers: { accept: 'application/json', ...headers, ...request.headers },
    ...body,
    totalMs: request.totalMs ?? defaultTotalMs,
    connectMs,
    maxBytes: request.maxBytes ?? defaultMaxBytes,
    ...(guard ? { guard } : {}),
  }
  const outcome = await ctx
    .observe(effect, () => send(outgoing))
    .catch((error: unknown) => {
      throw traced(failure(request, error), request)
    })
  const answer = plain(ctx, outcome)
  const { status } = answer
  if ((status < 200 || status >= 300) && !request.accepts?.includes(status))
    throw traced(classifyStatus(request, answer), request, outcome.headers)
  return answer
}

/**
 * Sends one request to a platform and parses its JSON; `reply` names only the fields that are used. Throws
 * `PlatformError`.
 */
export const requestJson = async <T>(
  ctx: Context,
  request: PlatformRequest & { reply: z.ZodMiniType<T> },
): Promise<T> => {
  const { status, headers, body } = await sendRequest(ctx, request)
  const reply = z.safeParse(request.reply, body)
  if (!reply.success) throw traced(unclearResponse(request, 'unexpected response body', status), request, headers)
  return reply.data
}

/** The seconds that a response asks to wait before the next try. */
export const retryAfterOf = ({ headers, nowMs }: ErrorResponse): number | undefined =>
  retryAfterSeconds(headers['retry-after'], nowMs)
