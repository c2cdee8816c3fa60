import type { Buckets } from '../engines/buckets.ts'
import { startMediaHost } from '../media-host.ts'
import { listen } from '../pages/server.ts'
import type { Closing } from './closing.ts'

/** The ports of the hosts; 0 or nothing picks free ones. */
export interface HostPorts {
  api?: number
  media?: number
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
  buckets: Buckets
  mediaBucket: string
}

/** Starts the host of media, and reserves the address of the API, which answers later. */
export const startHosts = async ({ ports, buckets, mediaBucket }: HostsOptions, closing: Closing) => ({
  media: await closing.hold(startMediaHost({ buckets, bucket: mediaBucket, port: ports.media ?? 0 })),
  api: await closing.hold(listen(ports.api ?? 0)),
})

export type Hosts = Awaited<ReturnType<typeof startHosts>>
