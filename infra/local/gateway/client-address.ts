import { BlockList, isIP } from 'node:net'

/** Proxies whose word about their client counts. Throws for what is neither an address nor a range such as 10.0.0.0/8. */
export const proxiesIn = (addresses: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const text of addresses) {
    const [address = '', bits] = text.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Without the prefix by which a socket of IPv6 shows an address of IPv4. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '')

const isTrusted = (proxies: BlockList, address: string): boolean =>
  isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Who sent a request: the peer of the connection, or, behind trusted proxies, the last address of `X-Forwarded-For` that is
 * not one of them. What stands before it was sent by the client, which can write anything.
 */
export const clientAddress = (peer: string, forwardedFor: string, proxies: BlockList): string => {
  const hops = [...forwardedFor.split(',').filter((hop) => hop.trim() !== ''), peer].map(plain)
  let client = hops.pop() ?? ''
  while (isTrusted(proxies, client)) {
    const before = hops.pop()
    // A proxy that names no one, or no address, is the last that is known.
    if (before === undefined || isIP(before) === 0) return client
    client = before
  }
  return client
}
