import type { Readable } from 'node:stream'
import WebSocket from 'ws'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { lookupPublic } from '../../net/lookup.ts'
import { OutboundError } from '../../net/outbound.ts'
import { cutText } from '../../text/cut.ts'
import { isGenuine, kinds, SignedEvent, signEvent } from './event.ts'
import { isOwnRelay, refuseRelay } from './relay-address.ts'

const connectMs = 5_000
/** For the connection and all responses: an invocation has a minute. */
const totalMs = 12_000
/**
 * What one relay may send while it is connected: anyone can run one, so that it is cut off after that. Relays accept
 * 64 KB of one event by default (strfry, maxEventSize). The 13 relays that a call asks at most, ten of the account and three
 * of a link, together send less than 4 MB.
 */
export const relayBounds = { bytes: 256 * 1024, messages: 100 } as const
/** The most that is stored of a challenge and of a reason, in UTF-16 code units. */
const maxText = 1_000

/**
 * Which events a relay sends (NIP-01, From client to relay), and how many of them are read: the number of IDs, or the limit.
 */
export type Filter =
  | { ids: readonly string[]; limit?: never }
  | { authors: readonly string[]; kinds: readonly number[]; since?: number; until?: number; limit: number; ids?: never }

/** There is no response from a relay; `sent` says whether it may have acted. */
export class RelayFailure extends Error {
  readonly sent: boolean

  constructor(message: string, sent: boolean) {
    super(message)
    this.sent = sent
  }
}

/** A relay refuses to send events; the message is the relay's. */
export class RelayRefusal extends Error {}

/** A connection to one relay. */
export interface Relay {
  /** Sends the relay an event; returns the message with which it rejects the event, or undefined if it has it now. */
  give(event: SignedEvent): Promise<string | undefined>
  /** The genuine events that the relay has of a filter. */
  read(filter: Filter): Promise<SignedEvent[]>
}

interface Answer {
  isAccepted: boolean
  reason: string
  events: SignedEvent[]
}

const Frame = z.tuple([z.string()], z.unknown())
const Verdict = z.tuple([z.literal('OK'), z.string(), z.boolean(), z.optional(z.string())])
const EventFrame = z.tuple([z.literal('EVENT'), z.string(), SignedEvent])
const End = z.tuple([z.enum(['EOSE', 'CLOSED']), z.string(), z.optional(z.string())])
const Challenge = z.tuple([z.literal('AUTH'), z.string().check(z.maxLength(maxText))])

interface Waiting {
  events: SignedEvent[]
  maxEvents: number
  resolve(answer: Answer): void
  reject(error: RelayFailure): void
}

interface Connection {
  /**
   * Sends a message and waits for the response that names the key: the ID of an event, or of a subscription. At most
   * `maxEvents` of its events are stored.
   */
  ask(key: string, message: readonly unknown[], maxEvents: number): Promise<Answer>
  challenge(): string | undefined
  close(): void
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const dial = (ctx: Context, address: string): WebSocket => {
  const refusal = refuseRelay(ctx, address)
  if (refusal !== undefined) throw new RelayFailure(refusal, false)
  return new WebSocket(address, {
    perMessageDeflate: false,
    maxPayload: relayBounds.bytes,
    handshakeTimeout: connectMs,
    followRedirects: false,
    ...(isOwnRelay(ctx, address) ? {} : { lookup: lookupPublic() }),
  })
}

const connect = (ctx: Context, address: string, signal: AbortSignal | undefined): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket = dial(ctx, address)
    const waiting = new Map<string, Waiting>()
    let challenge: string | undefined
    let isOver = false
    const received = { bytes: 0, messages: 0 }
    const end = (reason: string) => {
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      for (const { reject: fail } of waiting.values()) fail(new RelayFailure(reason, true))
      waiting.clear()
      reject(new RelayFailure(reason, false))
      socket.terminate()
    }
    const abort = () => end('did not answer in time')
    const timer = setTimeout(abort, totalMs)
    signal?.addEventListener('abort', abort)
    const settle = (key: string, answer: Omit<Answer, 'events'>) => {
      const waits = waiting.get(key)
      waiting.delete(key)
      waits?.resolve({ ...answer, events: waits.events })
    }
    const take = (text: string) => {
      const frame = parsed(text)
      const verdict = z.safeParse(Verdict, frame).data
      const over = z.safeParse(End, frame).data
      const listed = z.safeParse(EventFrame, frame).data
      if (verdict) settle(verdict[1], { isAccepted: verdict[2], reason: cutText(verdict[3] ?? '', maxText) })
      if (over) settle(over[1], { isAccepted: over[0] === 'EOSE', reason: cutText(over[2] ?? '', maxText) })
      const waits = listed && waiting.get(listed[1])
      if (waits && waits.events.length < waits.maxEvents) waits.events.push(listed[2])
      challenge = z.safeParse(Challenge, frame).data?.[1] ?? challenge
      // A frame that no relay sends: its response is unknown.
      if (!z.safeParse(Frame, frame).success) end('sent an answer that cannot be read')
    }
    /** Counts what has arrived; false if it is more than a relay may send. */
    const admits = (what: keyof typeof received, count: number): boolean => {
      received[what] += count
      if (!isOver && received[what] > relayBounds[what]) end(`sent more than ${relayBounds[what]} ${what}`)
      return !isOver
    }
    let bytes: Readable | undefined
    socket.on('upgrade', (response) => {
      bytes = response.socket
    })
    // Counts bytes, not only messages: control frames and fragments count, too. From `open` on, the socket reads.
    socket.on('open', () => bytes?.on('data', ({ length }: Buffer) => admits('bytes', length)))
    for (const control of ['ping', 'pong'] as const) socket.on(control, () => admits('messages', 1))
    socket.on('message', (data) => {
      if (admits('messages', 1)) take(String(data))
    })
    socket.on('error', (error) => end(error instanceof OutboundError ? error.message : 'could not be reached'))
    socket.on('close', () => end('closed the connection'))
    socket.on('open', () =>
      resolve({
        ask: (key, message, maxEvents) =>
          new Promise((answer, fail) => {
            waiting.set(key, { events: [], maxEvents, resolve: answer, reject: fail })
            socket.send(JSON.stringify(message))
          }),
        challenge: () => challenge,
        close: () => end('was closed'),
      }),
    )
  })

const needsLogin = /^auth-required:/

/**
 * Connects to a relay, and closes the connection when `use` is done. If a relay requires it, the account authenticates
 * (NIP-42). Throws `RelayFailure` if the relay does not respond.
 */
export const withRelay = async <T>(
  ctx: Context,
  { address, secretKey, signal }: { address: string; secretKey: string; signal?: AbortSignal },
  use: (relay: Relay) => Promise<T>,
): Promise<T> => {
  const connection = await connect(ctx, address, signal)
  const logIn = async (challenge: string) => {
    const tags = [
      ['relay', address],
      ['challenge', challenge],
    ]
    const createdAt = Math.floor(ctx.clock.now() / 1000)
    const event = signEvent(secretKey, { kind: kinds.relayLogin, createdAt, tags, content: '' })
    return connection.ask(event.id, ['AUTH', event], 0)
  }
  const ask = async (key: string, message: readonly unknown[], maxEvents = 0): Promise<Answer> => {
    const answer = await connection.ask(key, message, maxEvents)
    const challenge = connection.challenge()
    if (answer.isAccepted || !needsLogin.test(answer.reason) || challenge === undefined) return answer
    const login = await logIn(challenge)
    return login.isAccepted ? connection.ask(key, message, maxEvents) : login
  }
  let subscriptions = 0
  try {
    return await use({
      async give(event) {
        const { isAccepted, reason } = await ask(event.id, ['EVENT', event])
        // A relay that has the event already may say so either way.
        return isAccepted || reason.startsWith('duplicate:') ? undefined : reason
      },
      async read(filter) {
        subscriptions += 1
        const key = `s${subscriptions}`
        const { isAccepted, reason, events } = await ask(key, ['REQ', key, filter], filter.limit ?? filter.ids.length)
        if (!isAccepted) throw new RelayRefusal(reason)
        return events.filter(isGenuine)
      },
    })
  } finally {
    connection.close()
  }
}
