import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { OutboundError, type OutboundGuard, type OutboundResponse, type StreamedBody } from '../net/outbound.ts'
import { send } from '../net/send.ts'
import type { PlatformDefinition } from './definition.ts'
import { PlatformError } from './platform-error.ts'

const defaultTotalMs = 20_000
const connectMs = 5_000
const defaultMaxBytes = 64 * 1024

/** A refusal as a platform's error table gets it; `body` is undefined where it was no JSON. */
export interface ErrorResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
  nowMs: number
}

/** An answer as it came, for calls that tell something by their status, their headers or a text that is no JSON. */
export interface PlatformResponse extends ErrorResponse {
  text: string
}

/** What a request carries: a form, a value as JSON, or bytes of a type, in memory or streamed. */
export type RequestBody =
  | { form: Readonly<Record<string, string>> }
  | { json: unknown }
  | { type: string; bytes: string | Uint8Array | StreamedBody }

interface PlatformRequest {
  platform: Pick<PlatformDefinition, 'id' | 'name'>
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  base: string
  /** With `{name}` where a value of `params` goes; what is observed is this form. */
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** An address that the platform itself gave, used as it is; `path` only names the call then, for it may hold a token. */
  address?: string
  headers?: Readonly<Record<string, string>>
  body?: RequestBody
  /** The one call that makes a post public: when its answer is lost, nobody knows whether it landed. */
  creates?: boolean
  totalMs?: number
  maxBytes?: number
  /** For a base that a user gave. */
  guard?: OutboundGuard
  /** The platform's error table. */
  sort(answer: ErrorResponse): PlatformError
  /** Statuses beyond 2xx that are no refusal of this call, such as YouTube's 308. */
  accepts?: readonly number[]
}

type Unanswered = Pick<PlatformRequest, 'platform' | 'creates'>

/** No clear answer: harmless before the moment, an open question after it (platforms-a, 0.2). */
export const unclear = ({ platform, creates }: Unanswered, detail: string, httpStatus?: number): PlatformError => {
  const facts = { detail, ...(httpStatus === undefined ? {} : { httpStatus }) }
  return creates
    ? new PlatformError('unknown', `${platform.name} gave no clear answer: the post may be live.`, facts)
    : new PlatformError('transient', `${platform.name} gave no clear answer.`, facts)
}

const failure = (request: Unanswered, error: unknown) => {
  if (!(error instanceof OutboundError)) return error
  if (error.sent) return unclear(request, error.code)
  const { name } = request.platform
  if (error.code === 'blocked_address' || error.code === 'bad_address') {
    return new PlatformError('blocked', `The account's server may not be called. ${error.message}`, {
      code: error.code,
    })
  }
  return new PlatformError('transient', `${name} could not be reached.`, { detail: error.code })
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sortStatus = (request: PlatformRequest, answer: PlatformResponse) => {
  const { status } = answer
  if (status < 400 || status === 408 || status >= 500) return unclear(request, `HTTP ${status}`, status)
  return request.sort(answer)
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

/** One call to a platform, whose answer is handed on as it came; what goes wrong with it is a PlatformError. */
export const sendRequest = async (ctx: Context, request: PlatformRequest): Promise<PlatformResponse> => {
  const { platform, method, base, path, guard } = request
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
      throw failure(request, error)
    })
  const answer = plain(ctx, outcome)
  const { status } = answer
  if ((status < 200 || status >= 300) && !request.accepts?.includes(status)) throw sortStatus(request, answer)
  return answer
}

/**
 * One call to a platform: what goes wrong with it is a PlatformError, sorted by kind of call and by the platform's
 * table; `reply` names only the fields that are used.
 */
export const call = async <T>(ctx: Context, request: PlatformRequest & { reply: z.ZodMiniType<T> }): Promise<T> => {
  const { status, body } = await sendRequest(ctx, request)
  const reply = z.safeParse(request.reply, body)
  if (!reply.success) throw unclear(request, 'an answer of another shape', status)
  return reply.data
}

/** The header `Retry-After` in seconds, where it is there. */
export const retryAfterSeconds = (headers: Readonly<Record<string, string>>): number | undefined => {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

const maxDetail = 500

/** The platform's words as they may be kept and shown. */
export const shorten = (words: string): string => (words.length > maxDetail ? `${words.slice(0, maxDetail)}…` : words)
