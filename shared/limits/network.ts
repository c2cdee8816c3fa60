import { isIPv4, isIPv6 } from 'node:net'
import { digest } from '../ids.ts'

const hex = (value: number) => value.toString(16)

/** The eight groups of an IPv6 address without leading zeros; those that `::` stands for are zero. */
const groupsOf = (address: string): string[] => {
  // An IPv4 address at the end stands for two groups.
  const written = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
    return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
  })
  const [before = [], after = []] = written.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => hex(Number.parseInt(group, 16)))
}

/** An IPv4 address as it stands at the end of an IPv6 one (RFC 4291, 2.5.5.2). */
const mappedIn = (groups: readonly string[]): string | undefined => {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return bytes.flatMap((pair) => [Math.floor(pair / 256), pair % 256]).join('.')
}

/** The network that one client holds: an IPv4 address alone, of an IPv6 address the first 64 bits. */
export const networkOf = (address: string): string => {
  if (isIPv4(address)) return address
  const [plain = ''] = address.split('%')
  // Whoever comes from no address that can be read shares one counter.
  if (!isIPv6(plain)) return 'unknown'
  const groups = groupsOf(plain)
  return mappedIn(groups) ?? groups.slice(0, 4).join(':')
}

/** Decided: counters of addresses carry a hash, so that who reads the table reads no addresses. */
export const hashedNetwork = (address: string): string => digest(networkOf(address)).slice(0, 22)
