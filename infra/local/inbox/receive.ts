import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineClock } from '../engines/engine.ts'
import { type Answer, readBody } from '../pages/server.ts'
import type { StoredMap } from '../platforms/stored-map.ts'
import type { Behavior, Behaviors } from './behaviors.ts'
import type { Delivery } from './delivery.ts'
import { verifySignature } from './verify.ts'

export interface Reception {
  clock: EngineClock
  deliveries: StoredMap<Delivery>
  behaviors: Behaviors
  secretOf(endpointUrl: string): string | undefined
  closing: AbortSignal
}

const maxBodyBytes = 1024 * 1024

/** How many deliveries are retained; the oldest are dropped first. */
const maxDeliveries = 20_000

const forgetOldest = (deliveries: StoredMap<Delivery>): void => {
  const [oldest] = deliveries.size >= maxDeliveries ? deliveries.keys() : []
  if (oldest !== undefined) deliveries.delete(oldest)
}

/** Above every existing key: keys only increase, so the first one is sufficient. */
const nextKey = (deliveries: StoredMap<Delivery>): string => {
  const [oldest = '0'] = deliveries.keys()
  return String(Number(oldest) + deliveries.size)
}

/** Records a delivery, then responds as its hook is configured. */
export async function receive(
  reception: Reception,
  request: IncomingMessage,
  name: string,
): Promise<Answer | 'hang' | 'reset'> {
  const { clock, deliveries } = reception
  const rawBody = await readBody(request, maxBodyBytes)
  if (rawBody === undefined) return { status: 413, body: `A delivery may have ${maxBodyBytes} bytes` }
  const behavior = reception.behaviors.take(name)
  const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]))
  const secret = reception.secretOf(`http://${request.headers.host}${request.url}`)
  const verified = verifySignature({ headers, rawBody }, secret, clock.now())
  const answer = plan(behavior)
  forgetOldest(deliveries)
  deliveries.set(nextKey(deliveries), {
    endpoint: name,
    receivedAt: clock.now(),
    headers,
    rawBody: rawBody.toString('utf8'),
    verified,
    answered: typeof answer === 'string' ? 0 : answer.status,
  })
  if (behavior?.delayMs) await sleep(behavior.delayMs, undefined, { signal: reception.closing })
  return answer
}

function plan(behavior: Behavior | undefined): Answer | 'hang' | 'reset' {
  if (behavior === undefined) return { status: 200, body: 'ok' }
  const { hang, reset, status, location, retryAfter } = behavior
  if (hang) return 'hang'
  if (reset) return 'reset'
  if (location !== undefined) return { status: status ?? 302, headers: { location } }
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  return { status: status ?? 200, headers, body: 'as told' }
}
