import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { GatewayAnswer } from './answer.ts'
import { clientAddress, proxiesIn } from './client-address.ts'
import { ownError } from './own-answer.ts'

export interface FrontOptions {
  /** The names by which requests may reach the service, besides addresses. */
  names: readonly string[]
  /** Addresses, and ranges of them, whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
}

/** What stands between other machines and the gateway. */
export interface Front {
  /** The response to a request that names another service: a page there may have its name lead here (DNS rebinding). */
  refusal(incoming: IncomingMessage): GatewayAnswer | undefined
  clientAddress(incoming: IncomingMessage): string
}

const hostnameIn = (host: string): string => URL.parse(`http://${host}`)?.hostname ?? ''

/** A browser cannot be led to an address by a name. */
const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0

const otherName = (baseUrl: string) =>
  ({ text: `The Host header names another service. Call ${baseUrl}.`, code: 'forbidden' }) as const

/** Throws for a proxy that is neither an address nor a range. */
export const openFront = ({ names, trustedProxies }: FrontOptions, baseUrl: string): Front => {
  const proxies = proxiesIn(trustedProxies)
  return {
    refusal({ headers: { host = '' } }) {
      const hostname = hostnameIn(host)
      const isOurs = hostname === 'localhost' || isAddress(hostname) || names.includes(hostname)
      return isOurs ? undefined : ownError(baseUrl, 403, otherName(baseUrl))
    },
    clientAddress: ({ socket, headers }) =>
      clientAddress(socket.remoteAddress ?? '', [headers['x-forwarded-for'] ?? []].flat().join(), proxies),
  }
}
