import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineClock } from '../engines/engine.ts'
import { onlyLoopback } from '../pages/loopback.ts'
import { type Answer, isJson, type Listener, readBody, send } from '../pages/server.ts'
import { breakAnswer, type Outcome } from './break-answer.ts'
import type { Calls, RecordedCall } from './calls.ts'
import { faceAt } from './face.ts'
import type { Faults } from './faults.ts'
import { findRoute } from './router.ts'
import { type Message, serveSockets } from './sockets.ts'
import { type Call, type Platform, Refused, type Route, type StandIn } from './standin.ts'

/** The calls are stored in memory; videos are not. */
const recordedBytes = 64 * 1024

/** The response of one route, before a fault changes it. */
export interface RoutedAnswer {
  readonly platform: string
  readonly method: string
  /** As the stand-in declares it: `/channels/:channel/messages`. */
  readonly route: string
  /** In the route's form, whichever form was sent. */
  readonly path: string
  /** The request body, with its media type. */
  readonly sent: { readonly type: string; readonly body: Buffer }
  readonly answer: Answer
}

/** Every response of every stand-in of this process, as a `RoutedAnswer`. */
export const answered = channel('stand-in answered')

export interface Duty {
  platform: Platform
  standIn: StandIn
  clock: EngineClock
  faults: Faults
  calls: Calls
  /** Aborted on close: ends every wait of a slow response. */
  closing: AbortSignal
}

/** Handles one platform's requests: finds the route, applies a pending fault, records the call. */
export function serve(listener: Listener, duty: Duty): void {
  listener.onRequest(
    onlyLoopback((request, response) => {
      answerRequest(duty, request, response).catch((error) => {
        if (!request.destroyed && !duty.closing.aborted) console.error(`${duty.platform.id} stand-in:`, error)
        response.destroy()
      })
    }),
  )
  const { sockets } = duty.standIn
  if (sockets) serveSockets(listener, sockets, ({ body, ...message }) => answerCall(duty, message, async () => body))
}

async function answerRequest(duty: Duty, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '/', ...rest] = (request.url ?? '/').split('?')
  const face = faceAt(path)
  if (face !== undefined) return send(response, { status: 200, headers: { 'content-type': 'image/png' }, body: face })
  const query = new URLSearchParams(rest.join('?'))
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const call = { method: request.method ?? 'GET', path, query, headers }
  const outcome = await answerCall(duty, call, () => readBody(request, duty.platform.maxBodyBytes))
  if (outcome === 'hang') return
  if (outcome === 'reset') return cut(response)
  const { jsonType } = duty.standIn
  const type = jsonType !== undefined && isJson(outcome.body) ? { 'content-type': jsonType } : {}
  send(response, { ...outcome, headers: { ...type, ...duty.standIn.headers(call), ...outcome.headers } })
}

async function answerCall(
  duty: Duty,
  call: Omit<Message, 'body'>,
  bodyOf: () => Promise<Buffer | undefined>,
): Promise<Outcome> {
  const { platform, standIn } = duty
  const { method, path, query, headers } = call
  const routedPath = standIn.routedPath?.(path) ?? path
  const route = findRoute(standIn.routes, method, routedPath, headers, query)
  const operation = route?.route.operation ?? 'unknown'
  const sent: Pick<RecordedCall, 'query' | 'headers' | 'body'> = {
    query: String(query),
    headers,
    body: Buffer.alloc(0),
  }
  const record = { platform: platform.id, method, path, operation, at: duty.clock.now(), status: 0, ...sent }
  duty.calls.add(record)

  const fault = route && duty.faults.take(platform.id, operation)
  if (fault?.fault === 'reset_before') return 'reset'
  const body = await bodyOf()
  record.body = body?.subarray(0, recordedBytes) ?? record.body
  const effect = async (): Promise<Answer> => {
    if (route === undefined) return standIn.refusals.unknownRoute()
    if (body === undefined) return standIn.refusals.tooLarge()
    const seconds = standIn.secondsToWait?.(call)
    if (seconds !== undefined) return standIn.refusals.rateLimited(seconds)
    const answer = await run(route.route, { ...call, params: route.params, body })
    const sent = { type: headers['content-type'] ?? '', body }
    answered.publish({ platform: platform.id, method, route: route.route.path, path: routedPath, sent, answer })
    return answer
  }
  const wait = (delayMs: number) => sleep(delayMs, undefined, { signal: duty.closing })
  const outcome: Outcome = fault
    ? await breakAnswer(fault, { effect, refusals: standIn.refusals, wait })
    : await effect()
  if (typeof outcome === 'object') record.status = outcome.status
  return outcome
}

async function run(route: Route, call: Call): Promise<Answer> {
  try {
    return await route.answer(call)
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
}

/** The caller sees ECONNRESET, not a clean end. */
function cut(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}
