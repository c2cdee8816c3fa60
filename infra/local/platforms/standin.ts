import type { EngineClock } from '../engines/engine.ts'
import type { Answer } from '../pages/server.ts'
import type { Blobs } from './blobs.ts'
import type { Listing } from './page-of.ts'
import type { StoredMap } from './stored-map.ts'

/** One request as a route sees it: the body is read, header names are lower-case. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly params: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The WebSocket that a message came by. */
  readonly connection?: string
}

/** What a message of a WebSocket is called. */
type SocketMethod = `WS ${string}`

/** How a platform that speaks WebSocket reads messages, which its routes answer, and sends what they answer. */
export interface Sockets {
  /** Starts with a connection: what is sent immediately. */
  open(connection: string): readonly string[]
  methodOf(message: string): SocketMethod
  /** The messages of a response; undefined if its body is sent unchanged. */
  framesOf(message: string, answer: Answer): readonly string[] | undefined
}

/**
 * A route responds synchronously, so that two calls never interleave; what it changes is stored before it returns. One that
 * must fetch something first, as platforms that pull media do, changes nothing before it has it.
 */
export interface Route {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | SocketMethod
  /** Segments that start with a colon become params: `/channels/:channel/messages`; `/*` is every path. */
  readonly path: string
  /** What fault scripts call it: `create`, `upload`, `login`, `read`, … */
  readonly operation: string
  /** Of several routes at one address, the first whose condition on the headers, the query, and the path holds. */
  when?(headers: Readonly<Record<string, string | undefined>>, query: URLSearchParams, path: string): boolean
  answer(call: Call): Answer | Promise<Answer>
}

/** What rate limits know of a call. */
export type CountedCall = Pick<Call, 'method' | 'path' | 'headers'>

/** What is public on the platform. */
export interface PublicPost {
  readonly account: string
  readonly text: string
  readonly media: readonly PublicMedia[]
  readonly replyTo: string | null
  readonly url: string
  readonly publishedAt: number
  /** What a post shows in addition to its text and media, such as a poll or a label. */
  readonly extras?: readonly string[]
}

export interface PublicMedia {
  readonly key: string
  readonly type: string
  readonly alt: string
}

/** What a platform says for trouble that can meet any call. */
export interface Refusals {
  status(status: number): Answer
  rateLimited(retryAfterSeconds: number): Answer
  tokenRevoked(): Answer
  /** The platform rejects one post, or this account for a while; the connection is fine. */
  blocked(): Answer
  tooLarge(): Answer
  unknownRoute(): Answer
}

export interface StandIn {
  readonly routes: readonly Route[]
  readonly refusals: Refusals
  /** The path of a route for each of its other forms; absent where there is one form alone. */
  routedPath?(path: string): string
  /** The media type of JSON, where it names no character set. */
  readonly jsonType?: 'application/json'
  /** Absent where the platform speaks HTTP alone. */
  readonly sockets?: Sockets
  /** Headers that ride on every answer, such as the rate limits. */
  headers(call: CountedCall): Readonly<Record<string, string>>
  /** Counts a call against the rate limits: after how many seconds it is answered, if it is one too many. */
  secondsToWait?(call: CountedCall): number | undefined
  posts(): readonly PublicPost[]
  /**
   * Makes another post, past every rule and without a call: what the account's owner or another app posts. `target` is
   * what a list is asked for by: the account's id there, or a channel, board or name.
   */
  other(target: string, text: string): void
}

/** What a stand-in needs: a clock, its URL, and state that is persistent if there is a folder. */
export interface SimulatorContext {
  readonly clock: EngineClock
  /** Versions of the API are answered for as long as the platform does. */
  readonly apisEnd: boolean
  /** Calls beyond the rate limits of the platform are refused. */
  readonly limitsCalls: boolean
  readonly url: string
  readonly blobs: Blobs
  /** Of every list of the platform. */
  readonly listing: Readonly<Listing>
  keep<Value>(name: string): StoredMap<Value>
}

/** An entry of a list that the service reads at the platform. */
interface Listed {
  readonly id: string
  readonly name: string
}

/** One platform's file: everything the frame must know to serve and to show it. */
export interface Platform {
  readonly id: string
  readonly name: string
  /** The color of its column on the page. */
  readonly tint: string
  readonly maxBodyBytes: number
  /** The operator's app there, as the service keeps it among its secrets. */
  readonly app?: Readonly<
    Record<'clientId' | 'clientSecret', string> & {
      botToken?: string
      redditUser?: string
      scopes?: string
    }
  >
  /** What is entered in the form that connects its account, where there is one. */
  readonly login?: Readonly<Record<string, string>>
  /**
   * The metadata of a post with a text and a file, where the platform needs some. `first` reads the first entry of a list
   * that the service has, such as `slack/channels`.
   */
  metadata?(text: string, first: (list: string) => Promise<Listed>): unknown
  build(context: SimulatorContext): StandIn
}

/** Thrown inside a route to answer with a rejection from any depth. */
export class Refused extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`)
    this.answer = answer
  }
}

/** The JSON of a body, or what the platform says of a body that has none. */
export function parseJson(body: Buffer, refuse: () => never): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return refuse()
  }
}

/** Ends a call with plain text, as pages for people do. */
export function stop(message: string): never {
  throw new Refused({ status: 400, body: message })
}
