import type { ReceivedEvent } from './api.ts'
import { headerIn, type RawBody, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts'

/** The handler of each event type. `*` gets the types without a separate handler, including those of later releases. */
export type WebhookHandlers = {
  [Type in ReceivedEvent['type']]?: (event: ReceivedEvent & { type: Type }) => unknown
} & { '*'?: (event: ReceivedEvent) => unknown }

export interface ListenOptions {
  /** The secret of the endpoint; both secrets during a rotation. */
  secret: string | readonly string[]
  /** May return a promise. If it throws, the response is 500, so that the service delivers the event again. */
  on: WebhookHandlers
  /** The ids of events that were handled, which are not handled again: a `Set`, or a table that all processes share. */
  handled?: { has(id: string): boolean | Promise<boolean>; add(id: string): unknown } | undefined
  /** The largest body that is read: 1 MiB by default. */
  maxBodyBytes?: number | undefined
  /** How far the timestamp may be from the clock, in seconds: 300 by default. */
  toleranceSeconds?: number | undefined
  /** Receives what handlers throw: `console.error` by default. */
  onError?: ((error: unknown) => void) | undefined
}

/** The part of a request of `node:http` that is read; Express and others add a body that they have read. */
interface NodeRequest extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  readonly method?: string | undefined
  readonly headers: WebhookHeaders
  readonly body?: unknown
}

interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(text: string): unknown
}

/** Handles a request of a Fetch server, or of `node:http`. */
export interface WebhookListener {
  (request: Request): Promise<Response>
  (request: NodeRequest, response: NodeResponse): Promise<undefined>
}

const isFetch = (request: Request | NodeRequest): request is Request => 'arrayBuffer' in request

/** The raw body; undefined if it is larger than allowed. */
const read = async (request: Request | NodeRequest, maxBytes: number): Promise<RawBody | undefined> => {
  if (Number(headerIn(request.headers, 'content-length') ?? 0) > maxBytes) return undefined
  if (!isFetch(request) && request.body !== undefined) {
    if (typeof request.body === 'string' || request.body instanceof Uint8Array) return request.body
    throw new Error('The body was parsed, but the signature is that of its bytes. Use express.raw, or no parser.')
  }
  const chunks = isFetch(request) ? (request.body ?? []) : request
  const taken: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) return undefined
    taken.push(chunk)
  }
  return new Blob(taken).arrayBuffer()
}

/**
 * A receiver of webhooks for `node:http`, Express, and Fetch servers (Next.js, Deno, Bun, Workers). It returns 204 once the
 * handler has ended, 500 if it throws, 401 if the delivery is not genuine, 400 if it is not an event, 405, and 413.
 */
export const listen = (options: ListenOptions): WebhookListener => {
  const { secret, on, handled, maxBodyBytes = 2 ** 20, toleranceSeconds, onError = console.error } = options
  const secrets = [secret].flat()
  if (secrets.length === 0 || !secrets.every(Boolean))
    throw new TypeError('The secret of the webhook endpoint is missing.')
  // The service delivers again after 15 seconds without a response, even while a handler runs.
  const running = new Map<string, Promise<void>>()
  const handle = async (event: ReceivedEvent) => {
    if (await handled?.has(event.id)) return
    const handler = (on[event.type] ?? on['*']) as WebhookHandlers['*']
    await handler?.(event)
    await handled?.add(event.id)
  }
  const handleOnce = (event: ReceivedEvent): Promise<void> => {
    const current = running.get(event.id) ?? handle(event).finally(() => running.delete(event.id))
    running.set(event.id, current)
    return current
  }

  const answer = async (request: Request | NodeRequest): Promise<[status: number, text: string]> => {
    if (request.method !== 'POST') return [405, 'A webhook is delivered by POST.']
    const rawBody = await read(request, maxBodyBytes)
    if (rawBody === undefined) return [413, `The body has more than ${maxBodyBytes} bytes.`]
    const event = await verifyWebhook(rawBody, request.headers, secrets, { toleranceSeconds }).catch((error) => {
      if (error instanceof WebhookVerificationError) return error
      if (error instanceof SyntaxError) return undefined
      throw error
    })
    if (event instanceof WebhookVerificationError) return [401, event.message]
    if (typeof event?.id !== 'string' || typeof event.type !== 'string') return [400, 'The body is not an event.']
    await handleOnce(event)
    return [204, '']
  }

  function listener(request: Request): Promise<Response>
  function listener(request: NodeRequest, response: NodeResponse): Promise<undefined>
  async function listener(request: Request | NodeRequest, response?: NodeResponse): Promise<Response | undefined> {
    const [status, text] = await answer(request).catch((error): [number, string] => {
      onError(error)
      return [500, 'The handler of the event failed.']
    })
    const headers: Record<string, string> = status === 405 ? { Allow: 'POST' } : {}
    if (isFetch(request)) return new Response(text || null, { status, headers })
    // The rest of a body that is too large is not waited for.
    response?.writeHead(status, status === 413 ? { Connection: 'close' } : headers)
    response?.end(text)
    return undefined
  }
  return listener
}
