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
  /** The WebSocket of a message. */
  readonly connection?: string
}

/** The name of a WebSocket message's operation. */
type SocketMethod = `WS ${string}`

/** How a platform that speaks WebSocket reads messages, which its routes handle, and sends their responses. */
export interface Sockets {
  /** Starts with a connection: what is sent immediately. */
  open(connection: string): readonly string[]
  methodOf(message: string): SocketMethod
  /** The messages of a response; undefined if its body is sent unchanged. */
  framesOf(message: string, answer: Answer): readonly string[] | undefined
}

/**
 * A route responds synchronously, so that two calls never interleave; what it changes is stored before it returns. A route
 * that must fetch something first, as platforms that pull media do, changes nothing before it has it.
 */
export interface Route {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | SocketMethod
  /** Segments that start with a colon become params: `/channels/:channel/messages`; `/*` is every path. */
  readonly path: string
  /** What fault scripts call it: `create`, `upload`, `login`, `read`, … */
  readonly operation: string
  /** Of several routes at one address, the first one whose condition on the headers, the query, and the path holds. */
  when?(headers: Readonly<Record<string, string | undefined>>, query: URLSearchParams, path: string): boolean
  answer(call: Call): Answer | Promise<Answer>
}

/** The parts of a call that rate limits need. */
export type CountedCall = Pick<Call, 'method' | 'path' | 'headers'>

/** The public posts on the platform. */
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

/** The platform's error responses for failures that can occur on any call. */
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
  /** The path of a route in each of its other forms; absent if there is only one form. */
  routedPath?(path: string): string
  /** The media type of JSON, if it names no character set. */
  readonly jsonType?: 'application/json'
  /** Absent if the platform speaks only HTTP. */
  readonly sockets?: Sockets
  /** Headers of every response, such as the rate limits. */
  headers(call: CountedCall): Readonly<Record<string, string>>
  /** Counts a call against the rate limits: returns after how many seconds it can be repeated, if the limit is exceeded. */
  secondsToWait?(call: CountedCall): number | undefined
  posts(): readonly PublicPost[]
  /**
   * Creates another post, without rules and without a call: a post by the account's owner or another app. `target` is the
   * parameter of its list: the account's ID there, or a channel, board or name.
   */
  other(target: string, text: string): void
}

/** What a stand-in needs: a clock, its URL, and state that is persistent if there is a folder. */
export interface SimulatorContext {
  readonly clock: EngineClock
  /** Versions of the API are served for as long as the platform does. */
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

/** One platform's file: everything that the server needs to serve and show it. */
export interface Platform {
  readonly id: string
  readonly name: string
  /** The color of its column on the page. */
  readonly tint: string
  readonly maxBodyBytes: number
  /** The operator's app there, as the service stores it in its secrets. */
  readonly app?: Readonly<
    Record<'clientId' | 'clientSecret', string> & {
      botToken?: string
      redditUser?: string
      scopes?: string
    }
  >
  /** The values for the form that connects its account, if there is one. */
  readonly login?: Readonly<Record<string, string>>
  /**
   * The metadata of a post with a text and a file, if the platform needs some. `first` reads the first entry of a list of
   * the service, such as `slack/channels`.
   */
  metadata?(text: string, first: (list: string) => Promise<Listed>): unknown
  build(context: SimulatorContext): StandIn
}

/** Thrown inside a route to respond with a rejection from any depth. */
export class Refused extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`)
    this.answer = answer
  }
}

/** The JSON of a body, or the platform's error for a body without it. */
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
