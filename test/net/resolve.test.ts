import { createServer as createTcp } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resolveName } from '../../shared/net/lookup.ts'
import { failure, listen } from './listen.ts'
import { type NameServer, startNameServer } from './name-server.ts'

let names: NameServer
beforeAll(async () => {
  names = await startNameServer()
})
afterAll(() => names.close())

let tests = 0
let name = ''
beforeEach(() => {
  tests += 1
  name = `test-${tests}.example`
})

const guard = { allowedOrigins: [] }

test('resolves all addresses of a name in both families', async () => {
  names.setAnswer(name, ['93.184.216.34', '2606:4700::1111', '93.184.216.35'])
  expect(await resolveName(name)).toEqual(['93.184.216.34', '93.184.216.35', '2606:4700::1111'])
})

test.each([
  ['IPv4', ['93.184.216.34']],
  ['IPv6', ['2606:4700::1111']],
])('resolves a name with only addresses of %s', async (_, addresses) => {
  names.setAnswer(name, addresses)
  expect(await resolveName(name)).toEqual(addresses)
})

test('resolves a name again at every lookup', async () => {
  names.setAnswer(name, ['93.184.216.34'], ['93.184.216.35'])
  expect([await resolveName(name), await resolveName(name)]).toEqual([['93.184.216.34'], ['93.184.216.35']])
})

test('ignores the hosts file of the machine', async () => {
  names.setAnswer('localhost', ['93.184.216.34'])
  expect(await resolveName('localhost')).toEqual(['93.184.216.34'])
})

test.each(['missing', 'failing'] as const)('a name that is %s reports that nothing was sent', async (answer) => {
  names.setAnswer(name, answer)
  expect(await failure(`https://${name}:8443`, { guard })).toEqual({ code: 'dns', sent: false })
})

test('a name without addresses reports that nothing was sent', async () => {
  names.setAnswer(name, [])
  expect(await failure(`https://${name}:8443`, { guard })).toEqual({ code: 'dns', sent: false })
})

test('the lookup timeout limits a silent name server, which delays no other name', async () => {
  const others = Array.from({ length: 20 }, (_, n) => `silent-${n}.example`)
  for (const other of others) names.setAnswer(other, 'silent')
  names.setAnswer(name, ['127.0.0.1'])
  const stagesMs = { dns: 1000, connect: 5000, tls: 5000 }
  const order: string[] = []
  const resolve = async (host: string) => {
    const { code } = await failure(`https://${host}:8443`, { guard, stagesMs })
    order.push(code)
  }
  await Promise.all([...others, name].map(resolve))
  expect(order).toEqual(['blocked_address', ...others.map(() => 'timeout')])
})

test.each([
  ['a private address', ['127.0.0.1']],
  ['a private address among public ones', ['93.184.216.34', '2606:4700::1111', '10.0.0.1']],
  ['the metadata of the cloud', ['169.254.169.254']],
  ['the loopback of IPv6', ['::1']],
  ['a mapped address', ['::ffff:127.0.0.1']],
  ['an address of NAT64', ['64:ff9b::7f00:1']],
  ['an address of 6to4', ['2002:7f00:1::1']],
])('rejects a name that resolves to %s before connecting', async (_, addresses) => {
  let connections = 0
  const port = await listen(createTcp(() => (connections += 1)))
  names.setAnswer(name, addresses)
  expect(await failure(`https://${name}:${port}`, { guard })).toEqual({ code: 'blocked_address', sent: false })
  expect([connections, names.queriesFor(name)]).toEqual([0, 1])
})
