// The whole module: named imports keep using the initial servers after `setServers`.
import dns from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isPublicAddress } from './address.ts'
import { OutboundError, type OutboundGuard } from './outbound.ts'

/** How long to wait for one address family after the other has responded (RFC 8305, section 3). */
const resolutionDelayMs = 50

/**
 * Every address of a name, from the name servers directly: the system's lookup reads the hosts file, and blocks one of
 * the four threads of this process while a name server is silent.
 */
export async function resolveName(host: string): Promise<readonly string[]> {
  const lookups = [dns.resolve4(host), dns.resolve6(host)]
  const late = Promise.any(lookups).then(() => wait<string[]>(resolutionDelayMs, []))
  const answers = await Promise.all(lookups.map((lookup) => Promise.race([lookup, late]).catch(() => [])))
  return answers.flat()
}

type Resolve = NonNullable<OutboundGuard['resolve']>

/**
 * A socket's name lookup that allows only the public internet. It checks the addresses that the socket dials, so that
 * there is no gap between check and use; one blocked address among them rejects the name.
 */
export function lookupPublic(resolve: Resolve = resolveName): LookupFunction {
  return (host, options, callback) => {
    findAddresses(host, resolve).then(
      ([first, ...rest]) =>
        options.all ? callback(null, [first, ...rest]) : callback(null, first.address, first.family),
      (error) => callback(error, []),
    )
  }
}

interface Address {
  address: string
  family: number
}

async function findAddresses(host: string, resolve: Resolve): Promise<[Address, ...Address[]]> {
  const addresses = await resolve(host).catch((cause) => {
    throw new OutboundError('dns', false, `The host name ${host} could not be resolved.`, cause)
  })
  // The message leaves out the address: it may be one of the network that this process runs in.
  if (!addresses.every(isPublicAddress)) {
    throw new OutboundError('blocked_address', false, `The host ${host} does not resolve to a public address.`)
  }
  const [first, ...rest] = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  if (!first) throw new OutboundError('dns', false, `The host name ${host} has no address.`)
  return [first, ...rest]
}
