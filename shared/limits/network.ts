import { isIPv4, isIPv6 } from 'node:net'
import { digest } from '../ids.ts'

const hex = (value: number) => value.toString(16)

/** The eight groups of an IPv6 address without leading zeros; `::` is expanded to zeros. */
const groupsOf = (address: string): string[] => {
  // An IPv4 address at the end counts as two groups.
  const written = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
    return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
  })
  const [before = [], after = []] = written.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => hex(Number.parseInt(group, 16)))
}

/** The IPv4 address in an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2). */
const mappedIn = (groups: readonly string[]): string | undefined => {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return bytes.flatMap((pair) => [Math.floor(pair / 256), pair % 256]).join('.')
}

/** The network that one client controls: the whole IPv4 address, or the first 64 bits of an IPv6 address. */
export const networkOf = (address: string): string => {
  if (isIPv4(address)) return address
  const [plain = ''] = address.split('%')
  // All clients with an unreadable address share one counter.
  if (!isIPv6(plain)) return 'unknown'
  const groups = groupsOf(plain)
  return mappedIn(groups) ?? groups.slice(0, 4).join(':')
}

/** Decided: counters of addresses store a hash, so that the table holds no addresses. */
export const hashedNetwork = (address: string): string => digest(networkOf(address)).slice(0, 22)
