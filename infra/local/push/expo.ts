import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { EngineClock } from '../engines/engine.ts'
import type { Answer } from '../pages/server.ts'
import type { Call, Route } from '../platforms/standin.ts'
import type { StoredMap } from '../platforms/stored-map.ts'
import type { ShownPush } from './message.ts'

/** When Expo reports that an app was removed. */
export type Removed = 'ticket' | 'receipt'

type Receipt = { status: 'ok' } | { status: 'error'; message: string; details: { error: string } }

export interface ExpoState {
  clock: EngineClock
  /** The tokens of apps that were removed. */
  removed: StoredMap<Removed>
  receipts: StoredMap<Receipt>
  received: StoredMap<ShownPush>
  /** What callers must send, once a project requires it. */
  accessToken(): string | undefined
}

const maxMessages = 100
const maxReceipts = 300
/** For a message as a whole. */
const maxBytes = 4096

const Message = z.object({
  to: z.string().check(z.regex(/^Expo(?:nent)?PushToken\[[^\]]+\]$/)),
  title: z.string(),
  body: z.string(),
  data: z.object({ url: z.string() }),
  ttl: z.int(),
  priority: z.enum(['default', 'normal', 'high']),
  sound: z.literal('default'),
  collapseId: z.string(),
  tag: z.string(),
})
const Ids = z.object({ ids: z.array(z.string()).check(z.maxLength(maxReceipts)) })

const failed = (status: number, code: string, message: string): Answer => ({
  status,
  body: { errors: [{ code, message }] },
})

const errorOf = (error: string, message: string): Receipt => ({ status: 'error', message, details: { error } })

const parse = <T>(shape: z.ZodMiniType<T>, body: Buffer): T | undefined => {
  try {
    return z.safeParse(shape, JSON.parse(body.toString('utf8'))).data
  } catch {
    return undefined
  }
}

const isAllowed = ({ accessToken }: ExpoState, { headers }: Call): boolean => {
  const token = accessToken()
  return token === undefined || headers['authorization'] === `Bearer ${token}`
}

const unauthorized = () => failed(401, 'UNAUTHORIZED', 'The bearer token is invalid.')

/** The Expo push service: tickets immediately, receipts afterwards. */
export const expoRoutes = (state: ExpoState): Route[] => {
  const { clock, removed, receipts, received } = state
  const take = (message: z.infer<typeof Message>) => {
    const { to, title, body, data, ttl, priority, tag } = message
    const gone = errorOf('DeviceNotRegistered', `"${to}" is not a registered push notification recipient`)
    if (removed.get(to) === 'ticket') return gone
    if (Buffer.byteLength(JSON.stringify(message)) > maxBytes) return errorOf('MessageTooBig', 'The message is too big')
    const id = randomUUID()
    receipts.set(id, removed.get(to) === 'receipt' ? gone : { status: 'ok' })
    const shown = { title, body, url: data.url, tag, urgency: priority, ttl, topic: null, encrypted: '' }
    if (!removed.get(to)) received.set(randomUUID(), { kind: 'expo', to, ...shown, receivedAt: clock.now() })
    return { status: 'ok', id }
  }
  return [
    {
      method: 'POST',
      path: '/--/api/v2/push/send',
      operation: 'expo_send',
      answer: (call) => {
        if (!isAllowed(state, call)) return unauthorized()
        const messages = parse(z.array(Message).check(z.maxLength(maxMessages)), call.body)
        if (messages === undefined) return failed(400, 'VALIDATION_ERROR', 'The messages are not valid.')
        return { status: 200, body: { data: messages.map(take) } }
      },
    },
    {
      method: 'POST',
      path: '/--/api/v2/push/getReceipts',
      operation: 'expo_receipts',
      answer: (call) => {
        if (!isAllowed(state, call)) return unauthorized()
        const requested = parse(Ids, call.body)
        if (requested === undefined) return failed(400, 'VALIDATION_ERROR', 'The ids are not valid.')
        const known = requested.ids.flatMap((id) => {
          const receipt = receipts.get(id)
          return receipt === undefined ? [] : [[id, receipt] as const]
        })
        return { status: 200, body: { data: Object.fromEntries(known) } }
      },
    },
  ]
}
