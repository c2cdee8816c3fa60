import { join } from 'node:path'
import type { Clock } from '../../../shared/context.ts'
import type { Buckets } from '../engines/buckets.ts'
import type { Bus } from '../engines/bus.ts'
import type { ClockShift } from '../engines/clock-shift.ts'
import type { Mail } from '../engines/mail.ts'
import { startInbox } from '../inbox/start.ts'
import { startMediaHost } from '../media-host.ts'
import { listen } from '../pages/server.ts'
import { type PageServers, tabsOf } from '../pages/tabs.ts'
import { startPlatforms } from '../platforms/start.ts'
import { startPush } from '../push/start.ts'
import { startStripe } from '../stripe/start.ts'
import type { Closing } from './closing.ts'
import type { Addresses } from './environment.ts'

/** The ports; 0 or nothing picks free ones. The stand-ins use those after the port of their page. */
export interface Ports {
  api?: number
  media?: number
  inbox?: number
  platforms?: number
  push?: number
  stripe?: number
}

export interface SurroundingsOptions {
  clock: Clock
  shift?: ClockShift | undefined
  folder?: string | undefined
  ports: Ports
  mail: Mail
  bus: Bus
  buckets: Buckets
  mediaBucket: string
  secretOf(endpointUrl: string): string | undefined
  /** Whether Stripe sends its events by itself; undefined without billing. */
  stripeSends: boolean | undefined
  apisEnd?: boolean
  limitsCalls?: boolean | undefined
}

/** Starts the surroundings of the service on the internet, and reserves the address of its API. */
export const startSurroundings = async (options: SurroundingsOptions, closing: Closing) => {
  const {
    clock,
    shift,
    folder,
    ports,
    mail,
    bus,
    buckets,
    mediaBucket,
    secretOf,
    stripeSends,
    apisEnd = false,
    limitsCalls = false,
  } = options
  const within = (name: string) => (folder === undefined ? {} : { folder: join(folder, name) })
  const servers: PageServers = {}
  const platforms = await closing.hold(
    startPlatforms({
      clock,
      apisEnd,
      limitsCalls,
      servers,
      ...(shift ? { shift } : {}),
      ...within('platforms'),
      port: ports.platforms ?? 0,
    }),
  )
  const push = await closing.hold(startPush({ clock, ...within('push'), port: ports.push ?? 0, servers }))
  const inbox = await closing.hold(
    startInbox({
      clock,
      ...within('inbox'),
      port: ports.inbox ?? 0,
      secretOf,
      outbox: () => mail.outbox(),
      busEvents: () => bus.events(),
      servers,
    }),
  )
  const media = await closing.hold(startMediaHost({ buckets, bucket: mediaBucket, port: ports.media ?? 0 }))
  const api = await closing.hold(listen(ports.api ?? 0))
  servers.console = `${api.url}/console`
  const webhookUrl = () => `${api.url}/api/billing/stripe-webhook`
  const stripe =
    stripeSends === undefined
      ? undefined
      : await closing.hold(
          startStripe({
            clock,
            ...within('stripe'),
            port: ports.stripe ?? 0,
            ...(stripeSends ? { webhookUrl } : {}),
          }),
        )
  return { platforms, push, inbox, media, api, stripe, pages: () => tabsOf(servers) }
}

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>

/** Where functions find their surroundings. */
export const addressesOf = (around: Surroundings): Omit<Addresses, 'queuePrefix' | 'files' | 'openAi'> => ({
  api: around.api.url,
  media: around.media.url,
  inbox: around.inbox.url,
  platforms: around.platforms.urls,
  push: around.push.url,
  stripe: around.stripe?.url,
})
