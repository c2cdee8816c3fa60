import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EventType } from '../../../shared/events/types.ts'
import { random62 } from '../../../shared/ids.ts'
import { verifySignature } from '../../local/inbox/verify.ts'
import { listen, readBody, send } from '../../local/pages/server.ts'
import { eventIn, forward, type Show } from './forward.ts'
import type { ListenState } from './listen-state.ts'

const maxBodyBytes = 1024 * 1024

/** Connection headers; all others belong to the delivery or to the response. */
const ofConnection = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'content-encoding',
])

const passedOn = (headers: Iterable<readonly [string, unknown]>): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(([name]) => !ofConnection.has(name)).map(([name, value]) => [name, String(value)]),
  )

/** The port of the last start, so that retries find it; another one if it is taken. */
const openListener = (port: number | undefined) => listen(port ?? 0).catch(() => listen(0))

/** The body of a webhook endpoint. */
interface Receiver {
  name: string
  url: string
  events: EventType[]
  enabled: boolean
}

/** The webhook endpoints of a workspace. */
export interface Endpoints {
  create(body: Receiver): Promise<{ id: string; secret: string }>
  /** Returns false if the endpoint was deleted. */
  update(id: string, body: Receiver): Promise<boolean>
}

export interface EndpointListener {
  target: URL
  events: readonly EventType[]
  /** The name of the endpoint. */
  name: string
  state: ListenState
  endpoints: Endpoints
}

/**
 * Receives the webhooks themselves: an endpoint of the workspace points here. The service retries failures, including events
 * until the next start, because the endpoint stays.
 */
export const listenByEndpoint = async (
  { target, events, name, state: { stored, save }, endpoints }: EndpointListener,
  show: Show,
): Promise<() => Promise<void>> => {
  const listener = await openListener(stored.port)
  stored.port = Number(new URL(listener.url).port)
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await readBody(request, maxBodyBytes)) ?? Buffer.from('')
    const headers = passedOn(Object.entries(request.headers))
    const genuine = verifySignature({ headers, rawBody: body }, stored.secret, Date.now())
    const answered = await forward(target, headers, body)
    show.delivered({ genuine, event: eventIn(body), answer: answered })
    // Without a response of the app, the service should retry.
    send(response, { status: answered.status ?? 502, headers: passedOn(answered.headers), body: answered.body })
  }
  listener.onRequest((request, response) => void answer(request, response).catch(() => response.destroy()))

  // Another address each time: deliveries that wait for a retry are sent immediately.
  const body = { name, url: `${listener.url}/${random62(8)}`, events: [...events], enabled: true }
  const isKnown = stored.endpointId !== undefined && (await endpoints.update(stored.endpointId, body))
  if (!isKnown) {
    const { id, secret } = await endpoints.create(body)
    Object.assign(stored, { endpointId: id, secret })
  }
  save()
  show.note(`Forwarding webhooks to ${target}. The signing secret is ${stored.secret}\n`)
  return () => listener.close()
}
