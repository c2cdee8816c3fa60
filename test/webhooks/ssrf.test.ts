import { createServer as createHttp } from 'node:http'
import { createServer as createTcp } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NameServer, startNameServer } from '../net/name-server.ts'
import { refused } from '../net/refused.ts'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, moveTo, receivedBy, removeHooks } from './hooks.ts'
import { type Opened, open } from './receivers/open.ts'

const rows = Object.entries(refused).flatMap(([reason, urls]) => urls.map((url) => ({ url, reason })))

let location = ''
let calls = 0
const redirecting = createHttp((_request, response) => {
  calls += 1
  response.writeHead(301, { location }).end()
})
let connections = 0
const target = createTcp((socket) => {
  connections += 1
  socket.destroy()
})

let kit: Kit
let names: NameServer
let redirector: Opened
let inside: Opened
beforeAll(async () => {
  redirector = await open(redirecting)
  inside = await open(target)
  names = await startNameServer()
  kit = await start({ allowedOrigins: [`http://127.0.0.1:${redirector.port}`] })
})
beforeEach(async () => {
  await removeHooks(kit)
  connections = 0
})
afterAll(async () => {
  await kit.close()
  names.close()
  redirector.close()
  inside.close()
})

/** Runs something for each, a few at a time. */
const inRounds = async <T>(
  items: readonly T[],
  size: number,
  run: (some: readonly T[], round: number) => Promise<void>,
) => {
  for (let at = 0; at < items.length; at += size) await run(items.slice(at, at + size), at / size)
}

const send = async (method: string, path: string, body: unknown) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await kit.sessionApi.$raw(method, path, { headers, body: JSON.stringify(body) })
  return { status: answer.status, ...JSON.parse(await answer.text()) }
}

test('rejects 253 spellings of blocked addresses when an endpoint is created or updated', async () => {
  expect(rows).toHaveLength(253)
  const { id, url: own } = await makeHook(kit, 'own')
  await inRounds(rows, 20, async (some) => {
    const queriesFor = some.map(async ({ url, reason }) => {
      const made = await send('POST', '/api/webhooks', { name: 'x', url, events: ['post.scheduled'] })
      const moved = await send('PATCH', `/api/webhooks/${id}`, { url })
      // The empty one is not even long enough to be judged as an address.
      const refusal = url.trim() === '' ? {} : { code: 'url_not_allowed', error: expect.stringContaining(reason) }
      for (const answer of [made, moved]) expect(answer, url).toMatchObject({ status: 400, field: 'url', ...refusal })
    })
    await Promise.all(queriesFor)
  })
  expect((await kit.sessionApi.webhooks.list()).map(({ url }) => url)).toEqual([own])
})

test('an endpoint that has such an address anyway receives neither a test nor an event', async () => {
  // Spellings that are read alike are one address by then.
  const readable = rows.filter(({ url }) => URL.canParse(url)).map(({ url }) => new URL(url).href)
  const storable = [...new Set(readable)]
  expect([readable.length, storable.length]).toEqual([231, 166])
  const hooks = await Promise.all(Array.from({ length: 10 }, (_, n) => makeHook(kit, `hook-${n}`)))
  const tried = new Map<string, string[]>(hooks.map(({ id }) => [id, []]))
  await inRounds(storable, 10, async (ten) => {
    const queriesFor = ten.map(async (url, n) => {
      const id = hooks[n]?.id ?? ''
      await moveTo(kit, id, url)
      await kit.sessionApi.webhooks.sendTest({ params: { id } })
      tried.get(id)?.push(url)
    })
    await Promise.all(queriesFor)
    await kit.service.drain()
    // An endpoint takes ten tests a minute.
    kit.clock.pass(7000)
  })
  // Tests leave no mark on their endpoint, so the event is tried as the first delivery of all.
  await emit(kit)
  await kit.service.drain()
  for (const [id, urls] of tried) {
    const log = (await logOf(kit, id)).filter(({ requestedAt }) => requestedAt !== null)
    const causes = [...urls.map(() => 'test'), 'event']
    expect(log, urls.join(' ')).toMatchObject(
      causes.map((cause) => ({ cause, status: 'failed', httpStatus: null, errorCode: 'blocked_address' })),
    )
  }
})

test('on this machine only the configured origins are reachable', async () => {
  const inbox = new URL(kit.service.inboxUrl)
  const others = [
    `http://127.0.0.1:${inside.port}/hook`,
    `https://127.0.0.1:${inbox.port}/hook`,
    `http://localhost:${inbox.port}/hook`,
    `http://127.0.0.2:${inbox.port}/hook`,
    `http://[::1]:${inbox.port}/hook`,
    `http://0.0.0.0:${inbox.port}/hook`,
    `http://127.0.0.1:${inbox.port}.example.com/hook`,
    `http://me@127.0.0.1:${inside.port}/hook`,
    `http://10.0.0.1:${inbox.port}/hook`,
  ]
  for (const url of others) {
    const answer = await send('POST', '/api/webhooks', { name: 'x', url, events: ['post.scheduled'] })
    expect(answer, url).toMatchObject({ status: 400, field: 'url', code: 'url_not_allowed' })
  }
  await makeHook(kit, 'inbox')
  await emit(kit)
  await kit.service.drain()
  expect(receivedBy(kit, 'inbox')).toHaveLength(1)
})

/** An endpoint at a name of a stranger's, which passes every check of the address itself. */
const makeNamed = (name: string) => makeHook(kit, name, { url: `https://${name}:${inside.port}/hook` })

test.each([
  ['a private address', ['127.0.0.1']],
  ['a private address among public ones', ['2d00::1', '127.0.0.1', '2d00::2']],
  ['the metadata of the cloud', ['169.254.169.254']],
  ['a mapped address', ['::ffff:127.0.0.1']],
  ['an address of NAT64', ['64:ff9b::7f00:1']],
])('a name that resolves to %s gets neither an event nor a test', async (title, addresses) => {
  const name = `${title.replaceAll(/\W/g, '-')}.example`.toLowerCase()
  names.setAnswer(name, addresses)
  const { id } = await makeNamed(name)
  await emit(kit)
  await kit.service.drain()
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.drain()
  const log = (await logOf(kit, id)).filter(({ requestedAt }) => requestedAt !== null)
  expect(log.map(({ status, errorCode }) => [status, errorCode])).toEqual([
    ['failed', 'blocked_address'],
    ['failed', 'blocked_address'],
  ])
  expect([connections, names.queriesFor(name)]).toEqual([0, 2])
})

test('a name that resolves to a public address, then to a private one, is resolved once per attempt and never reached', async () => {
  // Within the global range, but unassigned (IANA, 2d00::/8): no packet is routed there.
  names.setAnswer('rebind.example', ['2d00::1'], ['127.0.0.1'])
  const { id } = await makeNamed('rebind.example')
  await emit(kit)
  await kit.service.drain()
  await kit.service.pass(10_000)
  const [first, second] = await logOf(kit, id)
  expect(['connect', 'timeout']).toContain(first?.errorCode)
  expect(second).toMatchObject({ attempt: 2, status: 'failed', errorCode: 'blocked_address', httpStatus: null })
  expect([connections, names.queriesFor('rebind.example')]).toEqual([0, 2])
})

test.each([
  ['the metadata of the cloud', () => 'http://169.254.169.254/latest/meta-data/'],
  ['another place on this machine', () => `http://127.0.0.1:${inside.port}/`],
  ['where deliveries may go', () => `${kit.service.inboxUrl}/hooks/trap`],
])('a redirect to %s is logged and not followed', async (_, to) => {
  location = to()
  calls = 0
  const { id } = await makeHook(kit, 'moved', { url: `http://127.0.0.1:${redirector.port}/hook` })
  await emit(kit)
  await kit.service.drain()
  expect((await logOf(kit, id))[0]).toMatchObject({ status: 'failed', httpStatus: 301, errorCode: 'redirect' })
  expect([calls, connections, receivedBy(kit, 'trap').length]).toEqual([1, 0, 0])
})
