import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { EngineClock } from '../engines/engine.ts'
import { Refused, type Route } from '../platforms/standin.ts'
import type { StoredMap } from '../platforms/stored-map.ts'
import { decrypt } from './decrypt.ts'
import type { ShownPush } from './message.ts'
import { refuseVapid } from './vapid.ts'

/** A subscription with the knowledge of the push service and of its browser. */
export interface Subscription {
  applicationServerKey: string
  publicKey: string
  privateKey: string
  auth: string
}

/** The JSON of a PushSubscription, as a page sends it to its server. */
export interface SubscriptionJson {
  endpoint: string
  expirationTime: null
  keys: { p256dh: string; auth: string }
}

export interface WebPushState {
  clock: EngineClock
  url: string
  subscriptions: StoredMap<Subscription>
  received: StoredMap<ShownPush>
}

/** Of push services, in octets (RFC 8030, section 7.2). */
const maxBytes = 4096

const Payload = z.object({ title: z.string(), body: z.string(), url: z.string(), tag: z.string() })

const refuse = (status: number, reason: string): never => {
  throw new Refused({ status, body: { code: status, errno: 0, message: reason } })
}

export const subscribe = ({ url, subscriptions }: WebPushState, applicationServerKey: string): SubscriptionJson => {
  const id = randomUUID()
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys('base64url')
  const auth = randomBytes(16).toString('base64url')
  subscriptions.set(id, { applicationServerKey, publicKey: p256dh, privateKey: pair.getPrivateKey('base64url'), auth })
  return { endpoint: `${url}/web-push/${id}`, expirationTime: null, keys: { p256dh, auth } }
}

/** The header fields of a message, and the errors for them (RFC 8030, sections 5.2 to 5.4). */
const readHeaders = (headers: Readonly<Record<string, string | undefined>>) => {
  const { ttl, topic, urgency = 'normal', 'content-encoding': encoding } = headers
  if (!/^\d+$/.test(ttl ?? '')) return refuse(400, 'The header TTL is required.')
  if (encoding !== 'aes128gcm') return refuse(415, 'The content encoding must be aes128gcm.')
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return refuse(400, 'The topic is not valid.')
  if (!['very-low', 'low', 'normal', 'high'].includes(urgency)) return refuse(400, 'The urgency is not valid.')
  return { ttl: Number(ttl), topic: topic ?? null, urgency }
}

/** The push service of browsers: accepts a message, and shows it as the browser would. */
export const webPushRoutes = (state: WebPushState): Route[] => [
  {
    method: 'POST',
    path: '/web-push/:id',
    operation: 'web_push',
    answer: ({ params, headers, body, path }) => {
      const { clock, url, subscriptions, received } = state
      const id = params['id'] ?? ''
      const subscription = subscriptions.get(id)
      if (subscription === undefined) return refuse(410, 'The subscription has expired.')
      const { applicationServerKey } = subscription
      const expected = { applicationServerKey, origin: url, nowMs: clock.now() }
      const refusal = refuseVapid(headers['authorization'], expected)
      if (refusal !== undefined) return refuse(403, refusal)
      const sent = readHeaders(headers)
      if (body.length > maxBytes) return refuse(413, `A message has at most ${maxBytes} bytes.`)
      // A push service cannot read a message; the browser drops a message that it cannot read.
      const { title, body: text, url: opens, tag } = z.parse(Payload, JSON.parse(decrypt(body, subscription)))
      received.set(randomUUID(), {
        kind: 'web_push',
        to: `${url}${path}`,
        title,
        body: text,
        url: opens,
        tag,
        urgency: sent.urgency,
        ttl: sent.ttl,
        topic: sent.topic,
        encrypted: body.toString('base64url'),
        receivedAt: clock.now(),
      })
      return { status: 201, headers: { location: `${url}/messages/${randomUUID()}` } }
    },
  },
]
