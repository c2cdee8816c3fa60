import { join } from 'node:path'
import type { EngineClock } from '../engines/engine.ts'
import { listen } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'
import { openCalls, type RecordedCall } from '../platforms/calls.ts'
import { type Faults, openFaults } from '../platforms/faults.ts'
import { serve } from '../platforms/serve.ts'
import type { Platform, Refusals, Route, StandIn } from '../platforms/standin.ts'
import { storedMap } from '../platforms/stored-map.ts'
import { type ExpoState, expoRoutes, type Removed } from './expo.ts'
import type { ShownPush } from './message.ts'
import { drawPushes } from './page.ts'
import { type Subscription, type SubscriptionJson, subscribe, webPushRoutes } from './web-push.ts'

export interface PushOptions {
  clock: EngineClock
  port?: number
  folder?: string
  /** For the tabs of the page. */
  servers?: PageServers
}

/** The push services of this machine, with the devices behind them. */
export interface PushServices {
  /** The page, the push service of browsers, and the one of Expo. */
  readonly url: string
  /** Faults of the stand-in `push`: `web_push`, `expo_send`, `expo_receipts`. */
  readonly faults: Faults
  calls(): readonly RecordedCall[]
  /** What devices have shown, oldest first. */
  messages(): ShownPush[]
  /** Subscribes a browser; the JSON is what its page sends to its server. */
  subscribe(applicationServerKey: string): SubscriptionJson
  /** The subscriptions, oldest first. */
  subscriptions(): { endpoint: string }[]
  /** Ends a subscription, like a browser whose permission was revoked. */
  unsubscribe(endpoint: string): void
  /** Removes an app: Expo reports it in the ticket of a message, or in its receipt. */
  removeApp(token: string, said: Removed): void
  /** Requires a token of callers of Expo. */
  requireAccessToken(token: string): void
  close(): Promise<void>
}

const failure = (status: number, message: string) => ({ status, body: { errors: [{ code: String(status), message }] } })

const refusals: Refusals = {
  status: (status) => failure(status, 'The stand-in is configured to return this'),
  rateLimited: (seconds) => ({
    ...failure(429, 'Too many requests'),
    headers: { 'retry-after': String(Math.ceil(seconds)) },
  }),
  tokenRevoked: () => failure(401, 'The bearer token is invalid'),
  blocked: () => failure(403, 'Blocked'),
  tooLarge: () => failure(413, 'Too large'),
  unknownRoute: () => failure(404, 'Nothing here'),
}

const maxBodyBytes = 2 ** 20

/** Starts the push services. They check what the real ones check, and decrypt each message as its device would. */
export const startPush = async ({ clock, port = 0, folder, servers = {} }: PushOptions): Promise<PushServices> => {
  const listener = await listen(port)
  const { url } = listener
  servers.push = url
  const keep = <Value>(name: string) => storedMap<Value>(folder && join(folder, `${name}.jsonl`))
  const received = keep<ShownPush>('messages')
  const browsers = { clock, url, received, subscriptions: keep<Subscription>('subscriptions') }
  let accessToken: string | undefined
  const removed = keep<Removed>('removed')
  const receipts: ExpoState['receipts'] = keep('receipts')
  const show: Route = {
    method: 'GET',
    path: '/',
    operation: 'page',
    answer: () => drawPushes(received.values(), servers),
  }
  const routes = [
    show,
    ...webPushRoutes(browsers),
    ...expoRoutes({ clock, received, removed, receipts, accessToken: () => accessToken }),
  ]
  const standIn: StandIn = { routes, refusals, headers: () => ({}), posts: () => [], other: () => {} }
  const platform: Platform = { id: 'push', name: 'Push', tint: '#666', maxBodyBytes, build: () => standIn }
  const faults = openFaults({ push: new Set(routes.map(({ operation }) => operation)) })
  const calls = openCalls()
  const closing = new AbortController()
  serve(listener, { platform, standIn, clock, faults, calls, closing: closing.signal })
  return {
    url,
    faults,
    calls: calls.list,
    messages: () => received.values(),
    subscribe: (applicationServerKey) => subscribe(browsers, applicationServerKey),
    subscriptions: () => [...browsers.subscriptions.keys()].map((id) => ({ endpoint: `${url}/web-push/${id}` })),
    unsubscribe: (endpoint) => void browsers.subscriptions.delete(endpoint.split('/').at(-1) ?? ''),
    removeApp: (token, said) => removed.set(token, said),
    requireAccessToken: (token) => {
      accessToken = token
    },
    close() {
      closing.abort()
      return listener.close()
    },
  }
}
