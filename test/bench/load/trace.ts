import { AsyncLocalStorage } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { BroadcastChannel } from 'node:worker_threads'
import * as z from 'zod/mini'
import { nameCall } from './name-call.ts'

/** All moments are milliseconds since 1970, so that threads agree on them. */
const moment = () => performance.timeOrigin + performance.now()

/** A call to an engine; the port is the one that it was sent from. */
const Call = z.object({ name: z.string(), port: z.number(), startMs: z.number(), endMs: z.number() })
type Call = z.infer<typeof Call>

/** What one thread has seen: requests that it received, and invocations with the calls that they made. */
export const Seen = z.object({
  received: z.array(
    z.object({
      route: z.string(),
      localPort: z.number(),
      remotePort: z.number(),
      startMs: z.number(),
      endMs: z.number(),
      /** Of a request that a function answered. */
      id: z.optional(z.string()),
    }),
  ),
  invoked: z.array(z.object({ id: z.string(), startMs: z.number(), endMs: z.number(), calls: z.array(Call) })),
})
export type Seen = z.infer<typeof Seen>

interface Received {
  request: IncomingMessage
  socket: Socket
}

interface Invocation {
  id: string
  startMs: number
  calls: Call[]
}

const idOf = (context: unknown): string => {
  const { event } = context as { event?: { requestContext?: { requestId?: string } } }
  return event?.requestContext?.requestId ?? ''
}

type Listener = [channel: string, listener: (message: never) => void]

/** Requests that come in, by Node's own channels, and the function that the gateway calls for one. */
const watchServers = (seen: Seen): Listener[] => {
  const open = new Map<IncomingMessage, { startMs: number; id?: string }>()
  const current = new AsyncLocalStorage<{ id?: string }>()
  return [
    [
      'http.server.request.start',
      ({ request }: Received) => {
        const opened: { startMs: number; id?: string } = { startMs: moment() }
        open.set(request, opened)
        current.enterWith(opened)
      },
    ],
    [
      'tracing:local.invocation:start',
      (context: unknown) => {
        const opened = current.getStore()
        if (opened) opened.id = idOf(context)
      },
    ],
    [
      'http.server.response.finish',
      ({ request, socket }: Received) => {
        const opened = open.get(request)
        if (opened === undefined) return
        open.delete(request)
        const { localPort = 0, remotePort = 0 } = socket
        const route = `${request.method} ${request.url}`
        seen.received.push({ route, localPort, remotePort, ...opened, endMs: moment() })
      },
    ],
  ]
}

/** Invocations, and the outgoing requests while one runs. */
const watchFunctions = (seen: Seen, current: AsyncLocalStorage<Invocation>): Listener[] => {
  const sent = new Map<ClientRequest, { body: string; startMs: number; of: Invocation }>()
  return [
    [
      'tracing:local.invocation:asyncEnd',
      () => {
        const invocation = current.getStore()
        if (invocation) seen.invoked.push({ ...invocation, endMs: moment() })
      },
    ],
    [
      'http.client.request.created',
      ({ request }: { request: ClientRequest }) => {
        const of = current.getStore()
        if (of === undefined) return
        const call = { body: '', startMs: moment(), of }
        sent.set(request, call)
        const end = request.end.bind(request) as (...args: unknown[]) => ClientRequest
        request.end = (...args: unknown[]) => {
          if (typeof args[0] === 'string' || args[0] instanceof Uint8Array) call.body += Buffer.from(args[0]).toString()
          return end(...args)
        }
      },
    ],
    [
      'http.client.response.finish',
      ({ request, response }: { request: ClientRequest; response: IncomingMessage }) => {
        const call = sent.get(request)
        if (call === undefined) return
        sent.delete(request)
        const { startMs, body, of } = call
        const port = request.socket?.localPort ?? 0
        // The headers are here; the body of an answer on this machine follows in the same moment.
        response.once('end', () => {
          of.calls.push({ name: nameCall(request, body), port, startMs, endMs: moment() })
        })
      },
    ],
  ]
}

/** Watches this thread; returns a function to stop and the observations. */
const watch = (): (() => Seen) => {
  const seen: Seen = { received: [], invoked: [] }
  const current = new AsyncLocalStorage<Invocation>()
  const { start } = diagnostics.tracingChannel('local.invocation')
  start.bindStore(current, (context) => ({ id: idOf(context), startMs: moment(), calls: [] }))
  const listeners = [...watchServers(seen), ...watchFunctions(seen, current)]
  for (const [name, listener] of listeners) diagnostics.subscribe(name, listener as (message: unknown) => void)
  return () => {
    start.unbindStore(current)
    for (const [name, listener] of listeners) diagnostics.unsubscribe(name, listener as (message: unknown) => void)
    return seen
  }
}

/**
 * Loaded into every thread of the service before anything else (`--import`): `start` on this channel begins to watch, `stop`
 * makes each thread send what it has seen.
 */
export const channelName = 'bench.trace'
const channel = new BroadcastChannel(channelName)
let stop: (() => Seen) | undefined
channel.onmessage = (message) => {
  const { data } = message as { data: unknown }
  if (data === 'start') stop = watch()
  if (data !== 'stop' || stop === undefined) return
  channel.postMessage(stop())
  stop = undefined
}
channel.unref()
