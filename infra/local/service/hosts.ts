import type { Buckets } from '../engines/buckets.ts'
import type { FrontOptions } from '../gateway/front.ts'
import { startMediaHost } from '../media-host.ts'
import { listen } from '../pages/server.ts'
import type { Closing } from './closing.ts'

/** The ports of the hosts; 0 or nothing picks free ones. */
export interface HostPorts {
  api?: number
  media?: number
}

/** How other machines reach the API; without it, only this one does. Files are then at the port of the API as well. */
export interface PublicOptions extends FrontOptions {
  /** The address to listen at. */
  address: string
}

/** The ports; 0 or nothing picks free ones. The stand-ins of platforms use those after the port of their page. */
export interface Ports extends HostPorts {
  inbox?: number
  platforms?: number
  push?: number
  stripe?: number
}

interface HostsOptions {
  ports: HostPorts
  front?: PublicOptions | undefined
  buckets: Buckets
  mediaBucket: string
}

/** Starts the host of media, unless a front has it, and reserves the address of the API, which answers later. */
export const startHosts = async ({ ports, front, buckets, mediaBucket }: HostsOptions, closing: Closing) => {
  const api = await closing.hold(listen(ports.api ?? 0, { address: front?.address }))
  const own = () => closing.hold(startMediaHost({ buckets, bucket: mediaBucket, port: ports.media ?? 0 }))
  return { api, media: front === undefined ? await own() : api }
}

export type Hosts = Awaited<ReturnType<typeof startHosts>>
