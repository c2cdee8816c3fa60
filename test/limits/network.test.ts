import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashedNetwork, networkOf } from '../../shared/limits/network.ts'

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length })

/** Other ways to write the same IPv6 address. */
const waysToWrite = (all: readonly string[]): string[] => {
  const full = all.map((each) => each.padStart(4, '0'))
  const shortened = all.join(':').replace(/(?:^|:)0(?::0)+(?::|$)/, '::')
  return [all.join(':'), full.join(':').toUpperCase(), shortened, `${shortened}%eth0`]
}

test('all addresses of a /64 are one network in any spelling, and its neighbor is another', () => {
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), (network, left, right) => {
      // The addresses that stand for IPv4 ones are not ours to cut.
      fc.pre(network.some((each) => each !== '0'))
      const name = networkOf([...network, ...left].join(':'))
      for (const written of [...waysToWrite([...network, ...left]), ...waysToWrite([...network, ...right])]) {
        expect(networkOf(written), written).toBe(name)
      }
      const [first = '', second = '', third = '', last = '0'] = network
      const neighbor = (Number.parseInt(last, 16) ^ 1).toString(16)
      expect(networkOf([first, second, third, neighbor, ...left].join(':'))).not.toBe(name)
    }),
  )
})

test('an IPv4 address is its own network, also as an IPv4-mapped IPv6 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
      const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
      for (const written of [address, `::ffff:${address}`, `0:0:0:0:0:FFFF:${hex}`]) {
        expect(networkOf(written)).toBe(address)
      }
    }),
  )
})

test.each([
  '',
  'unknown',
  'test-invoke-source-ip',
  '1.2.3',
  '1.2.3.4, 5.6.7.8',
  'g::1',
  '::1::',
])('invalid addresses (%j) share one network', (address) => expect(networkOf(address)).toBe('unknown'))

test('the name of a network does not contain the address', () => {
  expect(hashedNetwork('203.0.113.9')).toMatch(/^[\w-]{22}$/)
  expect(hashedNetwork('203.0.113.9')).not.toBe(hashedNetwork('203.0.113.8'))
})
