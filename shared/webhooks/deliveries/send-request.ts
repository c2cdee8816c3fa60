import type { Context } from '../../context.ts'
import type { Event } from '../../events/event.ts'
import { allowedOrigins } from '../../net/address.ts'
import { OutboundError } from '../../net/outbound.ts'
import { retryAfterSeconds, send } from '../../net/send.ts'
import type { WebhookEndpoint } from '../endpoints/endpoint.ts'
import type { decryptSecrets } from '../endpoints/secret.ts'
import type { Delivery } from './lifecycle/row.ts'
import { signedHeaders } from './signature.ts'

const totalMs = 15_000
/** The limits of each stage. */
const stagesMs = { dns: 2000, connect: 3000, tls: 5000 }
const readBytes = 64 * 1024
const maxStoredBytes = 4 * 1024

/** The outcome of one attempt; a successful one has no error code. */
export interface Outcome {
  httpStatus: number | null
  errorCode: string | null
  responseSnippet: string | null
  durationMs: number
  retryAfter: number | undefined
}

/** The delay that a receiver requests with Retry-After, in a response that allows it (429, 503). */
export const requestedDelaySeconds = ({ httpStatus, retryAfter }: Outcome): number | undefined =>
  httpStatus === 429 || httpStatus === 503 ? retryAfter : undefined

/** Codes of the delivery log; a broken connection counts as a failed one. */
const errorCodes: Readonly<Record<string, string>> = { bad_address: 'blocked_address', reset: 'connect' }

const errorCodeOf = (status: number) => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'http_status'
}

/** The beginning of a response, at most 4 KiB when stored as UTF-8. */
const beginningOf = (body: Uint8Array) => {
  const text = Buffer.from(body).toString('utf8')
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxStoredBytes)).read)
}

/** Sends the POST: a fresh signature, 15 s in total, no redirects, guarded address, bounded response. */
export const attempt = async (
  ctx: Context,
  endpoint: WebhookEndpoint,
  delivery: Delivery,
  event: Event,
  secrets: Awaited<ReturnType<typeof decryptSecrets>>,
): Promise<Outcome> => {
  const startedMs = ctx.clock.now()
  const timestamp = Math.floor(startedMs / 1000)
  const body = JSON.stringify(event)
  const { id: deliveryId, attempt } = delivery
  const { correlationId } = ctx
  const headers = signedHeaders({ event, deliveryId, attempt, correlationId, timestamp, rawBody: body, ...secrets })
  const guard = { allowedOrigins: allowedOrigins(ctx) }
  const request = { url: endpoint.url, method: 'POST', headers, body, totalMs, stagesMs, maxBytes: readBytes, guard }
  const effect = { service: 'webhook', action: 'POST', resource: new URL(endpoint.url).origin }
  const durationMs = () => ctx.clock.now() - startedMs
  try {
    const answer = await ctx.observe(effect, () => send(request))
    return {
      httpStatus: answer.status,
      errorCode: errorCodeOf(answer.status),
      responseSnippet: beginningOf(answer.body),
      durationMs: durationMs(),
      retryAfter: retryAfterSeconds(answer.headers['retry-after'], ctx.clock.now()),
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const errorCode = errorCodes[error.code] ?? error.code
    return { httpStatus: null, errorCode, responseSnippet: null, durationMs: durationMs(), retryAfter: undefined }
  }
}
