import { createServer as createHttp } from 'node:http'
import { createServer as createTcp, type LookupFunction } from 'node:net'
import { expect, test } from 'vitest'
import { lookupPublic } from '../../shared/net/lookup.ts'
import { pickAgent } from '../../shared/net/send.ts'
import { failure, get, listen } from './listen.ts'

/** A loopback port behind a name that a stranger controls; `connections` counts who got through. */
async function startTarget(...answers: (readonly string[])[]) {
  const target = { connections: 0, questions: 0, port: 0 }
  target.port = await listen(createTcp(() => (target.connections += 1)))
  const resolve = async () => answers[target.questions++] ?? []
  return { target, url: `https://rebind.example:${target.port}/`, guard: { allowedOrigins: [], resolve } }
}

test.each([
  ['a private address', ['127.0.0.1']],
  ['a private address among public ones', ['93.184.216.34', '127.0.0.1', '93.184.216.35']],
  ['a mapped address', ['::ffff:127.0.0.1']],
  ['a mapped address among public ones', ['2606:4700::1', '::ffff:7f00:1']],
  ['the loopback of IPv6', ['::1']],
  ['an address of NAT64', ['64:ff9b::7f00:1']],
  ['an address of 6to4', ['2002:7f00:1::']],
  ['an address with a zone', ['fe80::1%lo']],
  ['the metadata of the cloud', ['169.254.169.254']],
  ['something that is no address', ['127.1']],
])('rejects a name that resolves to %s before connecting', async (_, addresses) => {
  const { target, url, guard } = await startTarget(addresses, addresses)
  expect(await failure(url, { guard })).toEqual({ code: 'blocked_address', sent: false })
  expect(target).toMatchObject({ connections: 0, questions: 1 })
})

test('does not say to which address of a private network a name resolves', async () => {
  const inside = lookupPublic(async () => ['10.0.0.17'])
  const { message } = await new Promise<Error>((resolve) =>
    inside('inside.example', {}, (error) => resolve(error ?? new Error())),
  )
  expect(message).toBe('The host inside.example does not resolve to a public address.')
})

test('checks the address that is actually dialed, at every lookup', async () => {
  const answers = [['93.184.216.34', '2606:4700::1'], ['127.0.0.1'], ['93.184.216.34']]
  const { guard } = await startTarget(...answers)
  const lookup = lookupPublic(guard.resolve)
  expect(await lookUp(lookup, true)).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ])
  expect(await lookUp(lookup, true)).toMatchObject({ code: 'blocked_address', sent: false })
  expect(await lookUp(lookup, false)).toBe('93.184.216.34')
})

function lookUp(lookup: LookupFunction, all: boolean) {
  return new Promise((resolve) => lookup('rebind.example', { all }, (error, addresses) => resolve(error ?? addresses)))
}

test('a name without an address, or with a failing resolver, reports that nothing was sent', async () => {
  const { url, guard } = await startTarget([])
  expect(await failure(url, { guard })).toEqual({ code: 'dns', sent: false })
  const resolve = () => Promise.reject(new Error('SERVFAIL'))
  expect(await failure(url, { guard: { ...guard, resolve } })).toEqual({ code: 'dns', sent: false })
})

test('the connect timeout limits a resolver that never answers', async () => {
  const { url } = await startTarget()
  const guard = { allowedOrigins: [], resolve: () => new Promise<never>(() => {}) }
  expect(await failure(url, { guard, connectMs: 50 })).toEqual({ code: 'timeout', sent: false })
})

test.each([
  'https://127.0.0.1',
  'https://0x7f.1',
  'https://2130706433',
  'https://[::ffff:7f00:1]',
  'http://127.0.0.1',
])('rejects %s, which needs no lookup', async (origin) => {
  const { target, guard } = await startTarget()
  expect(await failure(`${origin}:${target.port}`, { guard })).toEqual({ code: 'blocked_address', sent: false })
  expect(target).toMatchObject({ connections: 0, questions: 0 })
})

test('allows a configured origin on loopback and does not follow its redirects', async () => {
  const port = await listen(
    createHttp((_, outgoing) => outgoing.writeHead(307, { location: 'http://169.254.169.254/' }).end()),
  )
  const origin = `http://127.0.0.1:${port}`
  const answer = await get(`${origin}/hook`, { guard: { allowedOrigins: [origin] } })
  expect(answer.status).toBe(307)
})

test('a guarded request never shares connections with an unguarded one', () => {
  expect(pickAgent('guarded', true)).not.toBe(pickAgent('open', true))
})
