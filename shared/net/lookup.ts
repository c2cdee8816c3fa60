import { isIPv6, type LookupFunction } from 'node:net'
import { OutboundError, type OutboundGuard } from './outbound.ts'
import { isPublicAddress } from './ranges.ts'
import { resolveName } from './resolve.ts'

type Resolve = NonNullable<OutboundGuard['resolve']>

/**
 * A socket's own name lookup that lets it dial the public internet only. The answer it checks is the one the socket dials,
 * so there is no moment between check and use; one closed address among the answers refuses the name.
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
  const closed = addresses.find((address) => !isPublicAddress(address))
  if (closed !== undefined) {
    throw new OutboundError(
      'blocked_address',
      false,
      `The host ${host} leads to ${closed}, not to the public internet.`,
    )
  }
  const [first, ...rest] = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  if (!first) throw new OutboundError('dns', false, `The host name ${host} has no address.`)
  return [first, ...rest]
}
