import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { Context } from '../context.ts'

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

/** Origins that the configuration allows by name although the guard would reject them, such as the local inbox. */
export const allowedOrigins = (ctx: Context): string[] => ctx.env('ALLOWED_ORIGINS').split(',').filter(Boolean)

const closedSuffixes = ['.local', '.internal', '.localhost', '.home.arpa', '.onion']
const hostName = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

// The high ports that browsers block (Fetch standard, "port blocking"), and those of data stores and control planes.
const closedPorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4369, 5060, 5061,
  5432, 5672, 5900, 5984, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8500, 9042, 9092, 9200,
  9300, 10080, 10250, 11211, 27017, 27018, 27019,
])

/**
 * Why the service does not call this URL, as a sentence for the user; undefined if the URL is allowed. The addresses of its
 * name are checked only when connecting. An origin in `allowedOrigins` is always allowed.
 */
export function refuseAddress(address: string | URL, allowedOrigins: readonly string[]): string | undefined {
  const url = URL.parse(String(address))
  if (!url) return 'The address is not a valid URL.'
  return refuseUrl(url, allowedOrigins) ?? refuseSpelling(String(address))
}

function refuseUrl(url: URL, allowedOrigins: readonly string[]): string | undefined {
  // The scheme first: the origin of `blob:https://…` is that of the page inside it.
  const isAllowed = isAllowedOrigin(url, allowedOrigins)
  if (!isAllowed && url.protocol !== 'https:') return 'The address must start with https://.'
  if (url.username || url.password) return 'The address must not contain a user name or password.'
  if (isAllowed) return undefined
  if (!isOpenPort(url.port))
    return `Port ${url.port} is not allowed. Use 443, or a port from 1024 that no other protocol uses.`
  return refuseHost(hostOf(url))
}

/** What a URL parser accepts, removes, or escapes, and no caller intends. */
function refuseSpelling(address: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(address)) return 'The address must not contain spaces or line breaks.'
  const [placeholder] = /\{\{.*?\}\}/.exec(address) ?? []
  return placeholder && `The address contains the placeholder ${placeholder}. Send its value in its place.`
}

export function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

/** Whether the configuration allows the origin of a URL; `http://127.0.0.1:*` allows every port of that host. */
export function isAllowedOrigin(url: URL, allowedOrigins: readonly string[]): boolean {
  if (!isHttp(url)) return false
  return allowedOrigins.includes(url.origin) || allowedOrigins.includes(`${url.protocol}//${url.hostname}:*`)
}

/** The host to connect to: an IPv6 address without brackets, a name without its trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$|\.$/g, '')
}

function isOpenPort(port: string): boolean {
  return port === '' || (Number(port) >= 1024 && !closedPorts.has(Number(port)))
}

function refuseHost(host: string): string | undefined {
  if (isIP(host)) return isPublicAddress(host) ? undefined : `The address ${host} is not on the public internet.`
  if (!host.includes('.')) return `The host ${host} must be a full domain name, such as www.example.com.`
  if (host.length > 253 || !hostName.test(host)) return `The host ${host} is not a valid domain name.`
  if (closedSuffixes.some((suffix) => host.endsWith(suffix))) return `The host ${host} is not on the public internet.`
  return undefined
}
