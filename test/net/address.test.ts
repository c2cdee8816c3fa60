import { expect, test } from 'vitest'
import { hostOf, refuseAddress } from '../../shared/net/address.ts'
import { accepted } from './accepted.ts'
import { refused } from './refused.ts'

const inbox = ['https://inbox.example:8443', 'http://127.0.0.1:4020']
const rows = Object.entries(refused).flatMap(([reason, addresses]) => addresses.map((address) => [address, reason]))

test.each(rows)('rejects %j: %s', (address = '', reason = '') => {
  expect(refuseAddress(address, inbox)).toContain(reason)
})

test.each(accepted)('accepts %j', (address) => {
  expect(refuseAddress(address, inbox)).toBeUndefined()
  expect(refuseAddress(new URL(address), [])).toBeUndefined()
})

test('each address is in the table once', () => {
  const all = [...rows.map(([address]) => address), ...accepted]
  expect(all.filter((address, index) => all.indexOf(address) !== index)).toEqual([])
  expect([rows.length, accepted.length]).toEqual([253, 61])
})

test('allows the configured origin, and no other port, scheme, or host', () => {
  expect(refuseAddress('http://127.0.0.1:4020/hook', inbox)).toBeUndefined()
  expect(refuseAddress('http://0x7f.1:4020/hook', inbox)).toBeUndefined()
  expect(refuseAddress('http://127.0.0.1:4021/hook', inbox)).toBeDefined()
  expect(refuseAddress('https://127.0.0.1:4020/hook', inbox)).toBeDefined()
  expect(refuseAddress('http://127.0.0.1:4020.example.com/', inbox)).toBeDefined()
  expect(refuseAddress('http://127.0.0.1:4020@example.com/', inbox)).toBeDefined()
  expect(refuseAddress('http://127.0.0.2:4020/hook', inbox)).toBeDefined()
  expect(refuseAddress('file:///etc/passwd', ['null'])).toBeDefined()
})

test('a star allows every port of one host, and no other scheme or host', () => {
  const loopback = ['http://127.0.0.1:*', 'http://[::1]:*']
  for (const address of ['http://127.0.0.1:4000/hook', 'http://127.0.0.1/', 'http://[::1]:4000/']) {
    expect(refuseAddress(address, loopback)).toBeUndefined()
    expect(refuseAddress(address, ['http://localhost:*'])).toBeDefined()
  }
  expect(refuseAddress('https://127.0.0.1:4000/hook', loopback)).toBeDefined()
  expect(refuseAddress('http://127.0.0.2:4000/hook', loopback)).toBeDefined()
  expect(refuseAddress('http://127.0.0.1.example.com:4000/', loopback)).toBeDefined()
})

test.each([
  ['https://example.com/a b', 'must not contain spaces'],
  ['https://example.com/a\nb', 'must not contain spaces'],
  [' https://example.com/', 'must not contain spaces'],
  ['https://example.com/{{token}}', 'contains the placeholder {{token}}'],
  ['https://inbox.example:8443/?key={{token}}', 'contains the placeholder {{token}}'],
  ['http://ann:secret@127.0.0.1:4020/hook', 'user name or password'],
])('an invalid URL is refused with its reason: %j', (address, reason) => {
  expect(refuseAddress(address, inbox)).toContain(reason)
})

test.each([
  ['https://Example.com./x', 'example.com'],
  ['https://[2606:4700::1]:8443', '2606:4700::1'],
  ['https://0x8.8.8.8', '8.8.8.8'],
])('the host to connect to for %s is %s', (address, host) => {
  expect(hostOf(new URL(address))).toBe(host)
})
