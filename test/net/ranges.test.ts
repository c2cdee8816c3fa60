import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress, refuseAddress } from '../../shared/net/address.ts'

// Written as numbers, apart from the list under test: first address and prefix length.
const closedV4: readonly [number, number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
]
const isClosedV4 = (ip: number) => closedV4.some(([base, bits]) => ip >= base && ip < base + 2 ** (32 - bits))

const closedIp = fc
  .constantFrom(...closedV4)
  .chain(([base, bits]) => fc.nat({ max: 2 ** (32 - bits) - 1 }).map((offset) => base + offset))
const anyIp = fc.nat({ max: 0xffffffff })
const dotted = (ip: number) => [ip >>> 24, (ip >>> 16) & 255, (ip >>> 8) & 255, ip & 255].join('.')

/** One part of an IPv4 address in a base that URL reads, with zeros before it. */
const part = fc.record({ base: fc.constantFrom(8, 10, 16), zeros: fc.nat({ max: 3 }), upper: fc.boolean() })
type Part = { base: number; zeros: number; upper: boolean }

function spellPart(value: number, { base, zeros, upper }: Part): string {
  const digits = '0'.repeat(base === 10 ? 0 : zeros) + value.toString(base)
  const text = { 8: `0${digits}`, 10: digits, 16: `0x${digits}` }[base] ?? ''
  return upper ? text.toUpperCase() : text
}

/** Any spelling that URL reads as the given IPv4 address: one to four parts, mixed bases, odd dots and digits. */
const spelling = fc
  .record({
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    dot: fc.constantFrom('.', '\u3002', '\uff0e', '\uff61', '%2e'),
    fullWidth: fc.boolean(),
    end: fc.constantFrom('', '.'),
  })
  .map(({ parts, dot, fullWidth, end }) => (ip: number) => {
    const bytes = [ip >>> 24, (ip >>> 16) & 255, (ip >>> 8) & 255]
    const values = [...bytes.slice(0, parts.length - 1), ip % 2 ** (8 * (5 - parts.length))]
    const spelt = parts.map((part, index) => spellPart(values[index] ?? 0, part)).join('\0')
    const widened = fullWidth ? spelt.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))) : spelt
    return widened.replaceAll('\0', dot) + end
  })

test('rejects an IPv4 address of a reserved range in every spelling', () => {
  fc.assert(
    fc.property(closedIp, spelling, (ip, spell) => {
      const address = `https://${spell(ip)}/`
      expect(new URL(address).hostname).toBe(dotted(ip))
      expect(refuseAddress(address, [])).toBe(`The address ${dotted(ip)} is not on the public internet.`)
    }),
    { numRuns: 5000 },
  )
})

test('rejects an IPv4 address of a reserved range embedded in an IPv6 address', () => {
  const carriers = (ip: number) => {
    const [high, low] = [(ip >>> 16).toString(16), (ip & 0xffff).toString(16)]
    const pair = `${high}:${low}`
    return [
      `::${pair}`,
      `::ffff:${pair}`,
      `::ffff:${dotted(ip)}`,
      `::ffff:0:${pair}`,
      `64:ff9b::${pair}`,
      `2002:${pair}::1`,
    ]
  }
  fc.assert(
    fc.property(closedIp, (ip) => {
      for (const carrier of carriers(ip)) {
        expect(isPublicAddress(carrier), carrier).toBe(false)
        expect(refuseAddress(`https://[${carrier}]:8443`, []), carrier).toBeDefined()
      }
    }),
    { numRuns: 500 },
  )
})

test('an IPv4 address is public exactly outside the reserved ranges, mapped or not', () => {
  fc.assert(
    fc.property(fc.oneof(anyIp, closedIp), (ip) => {
      expect(isPublicAddress(dotted(ip))).toBe(!isClosedV4(ip))
      expect(isPublicAddress(`::ffff:${dotted(ip)}`)).toBe(!isClosedV4(ip))
    }),
    { numRuns: 5000 },
  )
})

test('an IPv6 address is public exactly in 2000::/3 without its special ranges', () => {
  const group = fc.oneof(
    fc.nat({ max: 0xffff }),
    fc.constantFrom(0, 0x2001, 0x2002, 0x3fff, 0xdb8, 0x1ff, 0x200, 0xfff),
  )
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), ([first = 0, second = 0, ...rest]) => {
      const closed =
        (first === 0x2001 && (second < 0x200 || second === 0xdb8)) ||
        first === 0x2002 ||
        (first === 0x3fff && second < 0x1000)
      // `::` and what follows it up to ::ffff:0:0/96 is judged above.
      const ip = [first, second, ...rest].map((group) => group.toString(16)).join(':')
      fc.pre(first !== 0)
      expect(isPublicAddress(ip), ip).toBe(first >= 0x2000 && first < 0x4000 && !closed)
    }),
    { numRuns: 5000 },
  )
})

test.each([
  '',
  'example.com',
  '127.1',
  '0x8.8.8.8',
  '8.8.8.8:443',
  '[2606:4700::1]',
  '2606:4700::1%lo',
  '8.8.8.8 ',
  '08.8.8.8',
])('%j is not an address, so it is not public', (text) => {
  expect(isPublicAddress(text)).toBe(false)
})
