import { join } from 'node:path'
import type { ClockShift } from '../engines/clock-shift.ts'
import type { EngineClock } from '../engines/engine.ts'
import { type Listener, listen } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'
import { listAll, serveAdmin } from './admin.ts'
import { openBlobs } from './blobs.ts'
import { openCalls, type RecordedCall } from './calls.ts'
import { everyPlatform } from './every.ts'
import { type Faults, openFaults } from './faults.ts'
import type { Published } from './ledger.ts'
import type { Shown } from './page.ts'
import type { Listing } from './page-of.ts'
import { serve } from './serve.ts'
import type { Platform } from './standin.ts'
import { type StoredMap, storedMap } from './stored-map.ts'

export interface PlatformsOptions {
  clock: EngineClock
  /** Versions of APIs are served for as long as their platforms do; otherwise they last. */
  apisEnd?: boolean
  /** Calls beyond the rate limits of the platforms are refused; otherwise they are only counted. */
  limitsCalls?: boolean
  /** Moves the clock of the service; its page is among these. */
  shift?: ClockShift
  /** The port of the pages; the stand-ins use the ports after it, one each. Nothing or 0 picks free ones. */
  port?: number
  folder?: string
  /** For the tabs of the page. */
  servers?: PageServers
}

export interface Platforms {
  /** The page, `/published` and `/faults`. */
  readonly url: string
  /** The origin of each stand-in, by platform ID. */
  readonly urls: Readonly<Record<string, string>>
  readonly faults: Faults
  published(): Published[]
  calls(): readonly RecordedCall[]
  /** Creates so many other posts at one location of a platform (`StandIn.other`); their texts are `other 0`, `other 1`, … */
  crowd(platform: string, target: string, count: number): void
  /** Ends every page of every list after this many items, until the next reset. */
  shortenPages(maxOnPage: number): void
  /** Back to the seeds: no posts, no sessions, no faults, no calls. */
  reset(): void
  close(): Promise<void>
}

/** Starts every stand-in and the page of the public posts. */
export async function startPlatforms(options: PlatformsOptions): Promise<Platforms> {
  const listeners = await listenAll(options.port ?? 0, everyPlatform.length + 1)
  const [pages, ...own] = listeners
  if (pages === undefined) throw new Error('No listener for the pages')
  const maps: StoredMap<unknown>[] = []
  const listing: Listing = { maxOnPage: Number.POSITIVE_INFINITY }
  const placed = own.flatMap((listener, index) => {
    const platform = everyPlatform[index]
    return platform ? [{ listener, ...build(platform, listener.url, options, maps, listing) }] : []
  })
  const faults = openFaults(
    Object.fromEntries(
      placed.map((entry) => [entry.platform.id, new Set(entry.standIn.routes.map((r) => r.operation))]),
    ),
  )
  const calls = openCalls()
  const closing = new AbortController()
  for (const { listener, platform, standIn } of placed) {
    serve(listener, { platform, standIn, clock: options.clock, faults, calls, closing: closing.signal })
  }
  const crowd = (platform: string, target: string, count: number) => {
    const running = placed.find((entry) => entry.platform.id === platform)
    if (running === undefined) throw new Error(`There is no stand-in "${platform}"`)
    for (let n = 0; n < count; n += 1) running.standIn.other(target, `other ${n}`)
  }
  const { servers = {}, shift } = options
  servers.platforms = pages.url
  if (shift) servers.clock = `${pages.url}/clock`
  serveAdmin(pages, { shown: placed, faults, calls: calls.list, crowd, servers, ...(shift ? { shift } : {}) })
  return {
    url: pages.url,
    urls: Object.fromEntries(placed.map(({ platform, listener }) => [platform.id, listener.url])),
    faults,
    published: () => listAll(placed, pages.url),
    calls: calls.list,
    crowd,
    shortenPages(maxOnPage) {
      listing.maxOnPage = maxOnPage
    },
    reset() {
      listing.maxOnPage = Number.POSITIVE_INFINITY
      for (const store of [...maps, ...placed.map((entry) => entry.blobs), faults, calls]) store.clear()
    },
    async close() {
      closing.abort()
      await Promise.all(listeners.map((listener) => listener.close()))
    },
  }
}

function build(
  platform: Platform,
  url: string,
  options: PlatformsOptions,
  maps: StoredMap<unknown>[],
  listing: Listing,
): Shown {
  const { clock, apisEnd = false, limitsCalls = false } = options
  const folder = options.folder && join(options.folder, platform.id)
  const blobs = openBlobs(folder && join(folder, 'blobs'))
  function keep<Value>(name: string): StoredMap<Value> {
    const map = storedMap<Value>(folder && join(folder, `${name}.jsonl`))
    maps.push(map)
    return map
  }
  return { platform, blobs, standIn: platform.build({ clock, apisEnd, limitsCalls, url, blobs, listing, keep }) }
}

async function listenAll(port: number, count: number): Promise<Listener[]> {
  const listeners: Listener[] = []
  try {
    for (let index = 0; index < count; index++) listeners.push(await listen(port === 0 ? 0 : port + index))
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()))
    throw error
  }
  return listeners
}
