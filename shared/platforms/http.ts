import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { type OutboundAnswer, OutboundError, type OutboundGuard } from '../net/outbound.ts'
import { send } from '../net/send.ts'
import { type PlatformCard, PlatformError } from './platform.ts'

const defaultTotalMs = 20_000
const connectMs = 5_000
const defaultMaxBytes = 64 * 1024

/** A refusal (4xx) as a platform's error table gets it; `body` is undefined where it was no JSON. */
export interface RefusedAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
  nowMs: number
}

interface PlatformRequest<T> {
  platform: Pick<PlatformCard, 'id' | 'name'>
  method: 'GET' | 'POST'
  base: string
  /** With `{name}` where a value of `params` goes; what is observed is this form. */
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** The one call that makes a post public: when its answer is lost, nobody knows whether it landed. */
  creates?: boolean
  totalMs?: number
  maxBytes?: number
  /** For a base that a user gave. */
  guard?: OutboundGuard
  /** Only the fields that are used. */
  reply: z.ZodMiniType<T>
  /** The platform's error table. */
  sort(answer: RefusedAnswer): PlatformError
}

type Unanswered = Pick<PlatformRequest<unknown>, 'platform' | 'creates'>

/** No clear answer: harmless before the moment, an open question after it (platforms-a, 0.2). */
const unclear = ({ platform, creates }: Unanswered, detail: string, httpStatus?: number) => {
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
    return new PlatformError('permission', `The account's server may not be called. ${error.message}`, {
      code: error.code,
    })
  }
  return new PlatformError('transient', `${name} could not be reached.`, { detail: error.code })
}

const readJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

const sortStatus = (ctx: Context, request: PlatformRequest<unknown>, { status, headers, body }: OutboundAnswer) => {
  if (status < 400 || status === 408 || status >= 500) return unclear(request, `HTTP ${status}`, status)
  const head = body.subarray(0, defaultMaxBytes)
  return request.sort({ status, headers, body: readJson(head), nowMs: ctx.clock.now() })
}

const addressOf = ({ base, path, params = {}, query }: PlatformRequest<unknown>) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return `${base.replace(/\/$/, '')}${filled}${query ? `?${new URLSearchParams(query)}` : ''}`
}

/** One call to a platform: what goes wrong with it is a PlatformError, sorted by kind of call and by the platform's table. */
export const call = async <T>(ctx: Context, request: PlatformRequest<T>): Promise<T> => {
  const { platform, method, base, path, headers, body, guard } = request
  const effect = { service: platform.id, action: `${method} ${path}`, resource: URL.parse(base)?.origin ?? base }
  const outgoing = {
    url: addressOf(request),
    method,
    headers: { accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
    totalMs: request.totalMs ?? defaultTotalMs,
    connectMs,
    maxBytes: request.maxBytes ?? defaultMaxBytes,
    ...(guard ? { guard } : {}),
  }
  const answer = await ctx
    .observe(effect, () => send(outgoing))
    .catch((error: unknown) => {
      throw failure(request, error)
    })
  if (answer.status < 200 || answer.status >= 300) throw sortStatus(ctx, request, answer)
  const reply = z.safeParse(request.reply, readJson(answer.body))
  if (!reply.success) throw unclear(request, 'an answer of another shape', answer.status)
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
