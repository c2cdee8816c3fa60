import { join } from 'node:path'
import type { Clock } from '../../../shared/context.ts'
import type { Buckets } from '../engines/buckets.ts'
import type { Bus } from '../engines/bus.ts'
import type { Mail } from '../engines/mail.ts'
import { startInbox } from '../inbox/start.ts'
import { startMediaHost } from '../media-host.ts'
import { listen } from '../pages/server.ts'
import { startPlatforms } from '../platforms/start.ts'
import type { Closing } from './closing.ts'
import type { Addresses } from './environment.ts'

/** Ports to take; 0 or nothing takes free ones. The stand-ins take those after the port of their page. */
export interface Ports {
  api?: number
  media?: number
  inbox?: number
  platforms?: number
}

export interface SurroundingsOptions {
  clock: Clock
  folder?: string | undefined
  ports: Ports
  mail: Mail
  bus: Bus
  buckets: Buckets
  mediaBucket: string
  secretOf(endpointUrl: string): string | undefined
}

/** Starts what surrounds the service on the internet, and the place where its API will answer. */
export const startSurroundings = async (options: SurroundingsOptions, closing: Closing) => {
  const { clock, folder, ports, mail, bus, buckets, mediaBucket, secretOf } = options
  const within = (name: string) => (folder === undefined ? {} : { folder: join(folder, name) })
  const platforms = await closing.hold(
    startPlatforms({
      clock,
      ...within('platforms'),
      port: ports.platforms ?? 0,
      ...(ports.inbox ? { inboxUrl: `http://127.0.0.1:${ports.inbox}` } : {}),
    }),
  )
  const inbox = await closing.hold(
    startInbox({
      clock,
      ...within('inbox'),
      port: ports.inbox ?? 0,
      secretOf,
      outbox: () => mail.outbox(),
      busEvents: () => bus.events(),
      platformsUrl: platforms.url,
    }),
  )
  const media = await closing.hold(startMediaHost({ buckets, bucket: mediaBucket, port: ports.media ?? 0 }))
  const api = await closing.hold(listen(ports.api ?? 0))
  return { platforms, inbox, media, api }
}

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>

/** Where functions find what surrounds them. */
export const addressesOf = (around: Surroundings): Omit<Addresses, 'queuePrefix' | 'files'> => ({
  api: around.api.url,
  media: around.media.url,
  inbox: around.inbox.url,
  platforms: around.platforms.urls,
})
