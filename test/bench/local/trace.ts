import { AsyncLocalStorage } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import * as z from 'zod/mini'
import { nameCall } from './name-call.ts'

const Trip = z.object({
  name: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  /** How long the engine had the request, from its first byte to the last of the answer. */
  engineMs: z.number(),
})
export type Trip = z.infer<typeof Trip>

/** A request of the API with the moments it went through, in milliseconds since it arrived. */
export const Traced = z.object({
  route: z.string(),
  invokedMs: z.number(),
  returnedMs: z.number(),
  endMs: z.number(),
  trips: z.array(Trip),
})
export type Traced = z.infer<typeof Traced>

interface Open {
  startMs: number
  traced: Traced
}

interface ServerEvent {
  request: IncomingMessage
  socket: Socket
}

/**
 * Notes what the process does for each request of the API that comes in: what Node itself tells on its channels
 * `http.server.*` and `http.client.*`, and the service on `local.invocation` (node:diagnostics_channel).
 */
export const startTrace = (apiUrl: string) => {
  const api = Number(new URL(apiUrl).port)
  const current = new AsyncLocalStorage<Open>()
  const done: Traced[] = []
  const open = new Map<IncomingMessage, Open>()
  /** When engines took a request and how long they had it, by the port that the client sent it from. */
  const arrivals = new Map<number, number>()
  const engineMs = new Map<number, number>()
  const calls = new Map<ClientRequest, { body: string; startMs: number; of: Open | undefined }>()

  const subscriptions: [string, (message: never) => void][] = [
    [
      'http.server.request.start',
      ({ request, socket }: ServerEvent) => {
        const startMs = performance.now()
        if (socket.localPort !== api) return void arrivals.set(socket.remotePort ?? 0, startMs)
        const route = `${request.method} ${request.url}`
        const opened = { startMs, traced: { route, invokedMs: 0, returnedMs: 0, endMs: 0, trips: [] } }
        open.set(request, opened)
        current.enterWith(opened)
      },
    ],
    [
      'http.server.response.finish',
      ({ request, socket }: ServerEvent) => {
        const endMs = performance.now()
        const opened = open.get(request)
        if (opened === undefined) {
          const port = socket.remotePort ?? 0
          return void engineMs.set(port, endMs - (arrivals.get(port) ?? endMs))
        }
        open.delete(request)
        opened.traced.endMs = endMs - opened.startMs
        done.push(opened.traced)
      },
    ],
    [
      'http.client.request.created',
      ({ request }: { request: ClientRequest }) => {
        const call = { body: '', startMs: performance.now(), of: current.getStore() }
        calls.set(request, call)
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
        const call = calls.get(request)
        calls.delete(request)
        if (call?.of === undefined) return
        const { startMs, body, of } = call
        // The headers are here; the body of an answer on this machine follows in the same moment.
        response.once('end', () => {
          const port = request.socket?.localPort ?? 0
          of.traced.trips.push({
            name: nameCall(request, body),
            startMs: startMs - of.startMs,
            endMs: performance.now() - of.startMs,
            engineMs: engineMs.get(port) ?? 0,
          })
        })
      },
    ],
    [
      'tracing:local.invocation:start',
      () => {
        const opened = current.getStore()
        if (opened?.traced.invokedMs === 0) opened.traced.invokedMs = performance.now() - opened.startMs
      },
    ],
    [
      'tracing:local.invocation:asyncEnd',
      () => {
        const opened = current.getStore()
        if (opened) opened.traced.returnedMs = performance.now() - opened.startMs
      },
    ],
  ]
  for (const [name, listener] of subscriptions) diagnostics.subscribe(name, listener as (message: unknown) => void)
  return {
    stop: (): Traced[] => {
      for (const [name, listener] of subscriptions)
        diagnostics.unsubscribe(name, listener as (message: unknown) => void)
      return done
    },
  }
}
