import { isIP } from 'node:net'
import { isPublicAddress } from './ranges.ts'

export { isPublicAddress } from './ranges.ts'

const closedSuffixes = ['.local', '.internal', '.localhost', '.home.arpa', '.onion']
const hostName = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

// The high ports that browsers block (Fetch standard, "port blocking"), and those of data stores and control planes.
const closedPorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4369, 5060, 5061,
  5432, 5672, 5900, 5984, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8500, 9042, 9092, 9200,
  9300, 10080, 10250, 11211, 27017, 27018, 27019,
])

/**
 * Why the service does not call this URL, as a sentence for the user; undefined if nothing in the URL forbids it. What
 * its name resolves to is checked only when connecting. An origin in `allowedOrigins` passes in any case.
 */
export function refuseAddress(address: string | URL, allowedOrigins: readonly string[]): string | undefined {
  const url = URL.parse(String(address))
  if (!url) return 'The address is not a valid URL.'
  // The scheme first: the origin of `blob:https://…` is that of the page inside it.
  if (isAllowedOrigin(url, allowedOrigins)) return undefined
  if (url.protocol !== 'https:') return 'The address must start with https://.'
  if (url.username || url.password) return 'The address must not contain a user name or password.'
  if (!isOpenPort(url.port))
    return `Port ${url.port} is not allowed. Use 443, or a port from 1024 that no other protocol uses.`
  return refuseHost(hostOf(url))
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
