import type { ErrorCode } from './api.ts'
import type { ClientErrorCode, ErrorDetails } from './errors.ts'
import { SocialError } from './errors.ts'
import type { Operation } from './operation.ts'
import type { CallOptions, ClientOptions, Result } from './options.ts'
import { rateLimitOf } from './rate-limit.ts'
import { defaultRetries, delayBefore, retryAfterMs, sleep } from './retry.ts'

/** The request of a call. */
export interface Sent {
  path: string
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  workspaceId?: string | undefined
}

/** 128 random bits. `randomUUID` exists only on pages that were loaded over https. */
const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const addressOf = (baseUrl: string, { path, query = {} }: Sent): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    search.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  const text = search.toString()
  return `${baseUrl.replace(/\/+$/, '')}${path}${text && `?${text}`}`
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** One attempt that failed; `lost` if the service may have made the change all the same. */
interface Failure {
  error: SocialError
  lost: boolean
  retryable: boolean
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failureOf = (response: Response, body: unknown, attempts: number): Failure => {
  const { status, headers } = response
  const known = isRecord(body) && typeof body['code'] === 'string' ? body : {}
  const code = textOr(known['code'])
  const after = retryAfterMs(headers.get('Retry-After'), Date.now())
  const details: ErrorDetails = {
    status,
    requestId: textOr(known['requestId']) ?? headers.get('X-Request-Id'),
    docUrl: textOr(known['docUrl']),
    field: textOr(known['field']),
    issues: Array.isArray(known['issues']) ? known['issues'] : [],
    retryAfterMs: after,
    rateLimit: rateLimitOf(headers),
    attempts,
    body: isRecord(body) ? body : {},
  }
  const message = textOr(known['error']) ?? `The response has status ${status} and is not one of the service.`
  const error = new SocialError((code ?? 'unexpected_response') as ErrorCode | ClientErrorCode, message, details)
  // Other codes with 429 are limits that a wait does not lift, unless the service says when.
  const limited = status === 429 && (after !== null || code === null || code === 'rate_limited')
  const refused = status === 503 && code !== 'outcome_unknown'
  return { error, lost: status >= 500 && !refused, retryable: limited || status >= 500 || status < 400 }
}

const resultOf = (response: Response, data: unknown, attempts: number): Result<unknown> => ({
  data,
  status: response.status,
  requestId: response.headers.get('X-Request-Id'),
  rateLimit: rateLimitOf(response.headers),
  replayed: response.headers.get('Idempotency-Replayed') === 'true',
  etag: response.headers.get('ETag'),
  headers: response.headers,
  attempts,
})

const read = async (response: Response, raw: boolean, attempts: number): Promise<Result<unknown> | Failure> => {
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.includes('json') ?? false
  const body = isJson ? parsed(text) : undefined
  if (response.status === 304) return resultOf(response, undefined, attempts)
  if (response.ok && raw) return resultOf(response, isJson ? body : text, attempts)
  if (response.ok && isRecord(body) && body['success'] === true) return resultOf(response, body['data'], attempts)
  const failure = failureOf(response, body, attempts)
  // A success whose body is damaged is a lost response. A redirect leads to another service.
  return response.ok
    ? { ...failure, lost: true }
    : { ...failure, retryable: failure.retryable && !isRedirect(response) }
}

const isRedirect = ({ status, type }: Response): boolean => type === 'opaqueredirect' || (status >= 300 && status < 400)

/** Why there is no response, in a sentence; `fetch` hides the reason in the cause. */
const lostBecause = (thrown: unknown): string => {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
  return cause instanceof Error ? cause.message : String(cause)
}

/** Sends a request once. Throws only if the signal of the caller is aborted. */
const attemptOnce = async (
  send: typeof fetch,
  address: string,
  init: RequestInit,
  {
    timeoutMs,
    signal,
    raw,
    attempts,
  }: { timeoutMs: number; signal?: AbortSignal | undefined; raw: boolean; attempts: number },
): Promise<Result<unknown> | Failure> => {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const abort = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  let late = false
  const timer = setTimeout(() => {
    late = true
    ending.abort()
  }, timeoutMs)
  try {
    return await read(await send(address, { ...init, signal: ending.signal, redirect: 'manual' }), raw, attempts)
  } catch (thrown) {
    signal?.throwIfAborted()
    const error = late
      ? new SocialError('request_timeout', `No response within ${timeoutMs} ms.`, { attempts, cause: thrown })
      : new SocialError('connection_failed', `The connection failed: ${lostBecause(thrown)}`, {
          attempts,
          cause: thrown,
        })
    return { error, lost: true, retryable: true }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** A request body: bytes with their type unchanged, anything else as JSON. */
const contentOf = (body: unknown): { body?: string | Blob; type?: string } => {
  if (body === undefined) return {}
  if (body instanceof Blob) return { body, type: body.type }
  // A U+FFFD that is not escaped looks like a byte that is not UTF-8.
  return { body: JSON.stringify(body).replaceAll('\ufffd', '\\ufffd'), type: 'application/json' }
}

const headersOf = (
  config: ClientOptions,
  options: CallOptions,
  own: Readonly<Record<string, string | undefined>>,
): Headers => {
  const headers = new Headers({ Accept: 'application/json', ...config.headers })
  for (const [name, value] of Object.entries(own)) if (value !== undefined) headers.set(name, value)
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
  return headers
}

/**
 * Makes a call: sends the request, and again after transient failures. A request that may have been carried out is sent
 * again only if it is idempotent.
 */
export const call = async (
  config: ClientOptions,
  operation: Operation,
  sent: Sent,
  options: CallOptions = {},
): Promise<Result<unknown>> => {
  const { signal, timeoutMs = config.timeoutMs ?? 30_000, ifMatch } = options
  const retries = { ...defaultRetries, ...config.retries }
  const policy = { ...retries, maxRetries: options.maxRetries ?? retries.maxRetries }
  const key = options.idempotencyKey ?? (operation.creates ? newKey() : undefined)
  // A key that the service does not read makes nothing safe.
  const repeatable = operation.creates || (operation.repeatable && ifMatch === undefined)
  const { body, type } = contentOf(sent.body)
  const address = addressOf(config.baseUrl, sent)
  const { token: source } = config
  let token = operation.anyone ? undefined : typeof source === 'function' ? await source() : source
  let renewed = false
  let retry = 0
  for (let attempts = 1; ; attempts += 1) {
    const headers = headersOf(config, options, {
      Authorization: token === undefined ? undefined : `Bearer ${token}`,
      'X-Workspace-Id': operation.workspace
        ? (sent.workspaceId ?? options.workspaceId ?? config.workspaceId)
        : undefined,
      'Idempotency-Key': key,
      'If-Match': ifMatch,
      'X-Request-Id': options.requestId,
      'Content-Type': type,
    })
    const init = { method: operation.method, headers, ...(body === undefined ? {} : { body }) }
    const limits = { timeoutMs, signal, raw: operation.raw, attempts }
    const outcome = await attemptOnce(config.fetch ?? fetch, address, init, limits)
    if (!('error' in outcome)) return outcome
    const { error, lost, retryable } = outcome
    if (error.status === 401 && token !== undefined && typeof source === 'function' && !renewed) {
      const next = await source(token)
      renewed = true
      if (next !== token) {
        token = next
        continue
      }
    }
    retry += 1
    const delay =
      retryable && (repeatable || !lost) ? delayBefore(retry, policy, error.retryAfterMs, Math.random()) : null
    if (delay === null) throw error
    await sleep(delay, signal)
  }
}
