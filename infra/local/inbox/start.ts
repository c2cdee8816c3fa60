import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { BusEvent } from '../engines/bus.ts'
import type { EngineClock } from '../engines/engine.ts'
import { onlyLoopback } from '../pages/loopback.ts'
import { type Answer, listen, readBody, send } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'
import { storedMap } from '../platforms/stored-map.ts'
import { type Behaviors, openBehaviors } from './behaviors.ts'
import { drawBusEvents } from './bus-page.ts'
import type { Delivery, SentMail } from './delivery.ts'
import { drawMails } from './mail-page.ts'
import { drawDeliveries } from './page.ts'
import { receive } from './receive.ts'

export interface InboxOptions {
  clock: EngineClock
  port?: number
  folder?: string
  /** The signing secret of an endpoint, by the address it was registered with. */
  secretOf(endpointUrl: string): string | undefined
  outbox(): readonly SentMail[]
  /** The events on the bus. */
  busEvents?(): readonly BusEvent[]
  /** For the tabs of the pages. */
  servers?: PageServers
}

export interface Inbox {
  readonly url: string
  readonly behaviors: Behaviors
  deliveries(): Delivery[]
  /** No deliveries, and every hook returns 200 again. */
  reset(): void
  close(): Promise<void>
}

const maxScriptBytes = 1024 * 1024

/** Starts a receiver for webhooks, with pages for them and for the mails. */
export async function startInbox(options: InboxOptions): Promise<Inbox> {
  const listener = await listen(options.port ?? 0)
  const deliveries = storedMap<Delivery>(options.folder && join(options.folder, 'deliveries.jsonl'))
  const behaviors = openBehaviors()
  const closing = new AbortController()
  const reception = {
    clock: options.clock,
    secretOf: options.secretOf,
    deliveries,
    behaviors,
    closing: closing.signal,
  }
  const { url } = listener
  const { servers = {} } = options
  servers.inbox = url
  const busEvents = options.busEvents ?? (() => [])

  async function answerRequest(request: IncomingMessage): Promise<Answer | 'hang' | 'reset'> {
    const [path = '/', search = ''] = (request.url ?? '/').split('?', 2)
    const shown = { query: new URLSearchParams(search), servers }
    const name = /^\/hooks\/([\w.~-]+)$/.exec(path)?.[1]
    const route = `${request.method} ${path}`
    if (name !== undefined && request.method === 'POST') return receive(reception, request, name)
    if (route === 'GET /') return drawDeliveries(deliveries.values(), behaviors.pending(), shown)
    if (route === 'GET /deliveries') return { status: 200, body: deliveries.values() }
    if (route === 'GET /bus') return drawBusEvents(busEvents(), shown)
    if (route === 'GET /bus.json') return { status: 200, body: busEvents() }
    if (route === 'GET /mail') return drawMails(options.outbox(), servers)
    if (route === 'GET /mail.json') return { status: 200, body: options.outbox() }
    if (route === 'POST /behaviour') return addBehaviors(behaviors, await readBody(request, maxScriptBytes))
    if (route === 'DELETE /behaviour') behaviors.clear()
    if (path === '/behaviour') return { status: 200, body: behaviors.pending() }
    return { status: 404, body: { error: `Nothing at ${route}. Deliveries are taken at POST /hooks/<name>.` } }
  }

  listener.onRequest(
    onlyLoopback((request, response) => {
      answerRequest(request).then(
        (answer) => give(answer, response),
        () => response.destroy(),
      )
    }),
  )
  return {
    url,
    behaviors,
    deliveries: () => deliveries.values(),
    reset() {
      deliveries.clear()
      behaviors.clear()
    },
    close() {
      closing.abort()
      return listener.close()
    },
  }
}

function addBehaviors(behaviors: Behaviors, body: Buffer | undefined): Answer {
  try {
    behaviors.add(JSON.parse(String(body)))
  } catch (error) {
    const json = 'The body must be one behavior or an array of them, as JSON'
    return {
      status: 400,
      body: { error: error instanceof Error && !(error instanceof SyntaxError) ? error.message : json },
    }
  }
  return { status: 200, body: behaviors.pending() }
}

function give(answer: Answer | 'hang' | 'reset', response: ServerResponse): void {
  if (answer === 'hang') return
  if (answer === 'reset') response.socket?.resetAndDestroy()
  else send(response, answer)
}
