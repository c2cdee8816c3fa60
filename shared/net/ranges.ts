import { BlockList, isIPv4, isIPv6 } from 'node:net'

// IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890).
const closedV4 = listRanges('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])
const globalV6 = listRanges('ipv6', ['2000::/3'])
const closedV6 = listRanges('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
const mappedV4 = listRanges('ipv6', ['::ffff:0:0/96'])

/** Whether an IP address belongs to the public internet; false for anything that is not a plain address. */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !closedV4.check(ip, 'ipv4')
  // A zone (`fe80::1%eth0`) names a network interface of this host.
  if (!isIPv6(ip) || ip.includes('%')) return false
  // BlockList checks a mapped address against its IPv4 ranges.
  if (mappedV4.check(ip, 'ipv6')) return !closedV4.check(ip, 'ipv6')
  return globalV6.check(ip, 'ipv6') && !closedV6.check(ip, 'ipv6')
}

function listRanges(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [base = '', bits] = range.split('/')
    list.addSubnet(base, Number(bits), family)
  }
  return list
}
