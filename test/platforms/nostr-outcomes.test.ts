import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod/mini'
import { nostr } from '../../shared/platforms/nostr/publish.ts'
import { relayBounds } from '../../shared/platforms/nostr/relay.ts'
import { visitNostr } from './nostr-visit.ts'
import { failureOf } from './site.ts'

const { site, platforms, at, open, publish, prepared, commit, probe, sent, calls, fault } = await visitNostr()
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A relay that answers each message so. */
const relayThat = async (answer: (frame: unknown[], send: (frame: string) => void) => void): Promise<string> => {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) =>
    socket.on('message', (data) => answer(JSON.parse(String(data)), (frame) => socket.send(frame))),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.close()
  })
  const address = server.address()
  return `ws://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** A call of an account with these relays, whichever they are. */
const openAt = async (relays: readonly string[], text = 'Hello') => {
  const call = await open({ text })
  const ctx = site.ctx({ ALLOWED_ORIGINS: 'http://127.0.0.1:*' })
  return { ...call, ctx, account: { ...call.account, details: { ...call.account.details, relays: relays.join(' ') } } }
}

const unused = 'ws://127.0.0.1:9'

test('all relays get the same event concurrently, and one that takes it is enough', async () => {
  const call = await openAt(at('', '/two', '/blocked', '/pow'))
  const { id, warning } = await publish(call)
  expect(sent().map((event) => event.id)).toEqual([id, id, id, id])
  expect(warning).toMatch(
    /^Relays that did not take the post: ws:\S+\/blocked \(blocked: you are banned .*\), ws:\S+\/pow \(pow: .*\)\.$/,
  )
  expect(platforms.published()).toHaveLength(1)
})

test.each([
  ['blocked', ['/blocked'], 'blocked', /relays do not accept posts of this account: you are banned/],
  ['proof of work', ['/pow'], 'blocked', /proof of work/],
  ['members only', ['/restricted'], 'blocked', /members only/],
  ['muted', ['/muted'], 'blocked', /ignored the post/],
  ['a rate limit', ['/limited'], 'rate', /rate limit/],
  ['trouble of the relay', ['/broken'], 'transient', /could not store the post/],
  ['of several, the one that another try may mend', ['/blocked', '/broken', '/pow'], 'transient', /could not store/],
  ['of several, the one that says how long', ['/broken', '/limited'], 'rate', /rate limit/],
])('refused by all: %s', async (_, paths, errorClass, message) => {
  const error = await failureOf(publish(await openAt(at(...paths))))
  expect(error).toMatchObject({
    errorClass,
    message: expect.stringMatching(message),
    info: { request: expect.stringMatching(/^EVENT 1 ws:/) },
  })
  expect(platforms.published()).toEqual([])
})

test('nothing was sent if no relay is reachable', async () => {
  expect(await failureOf(publish(await openAt([unused])))).toMatchObject({ errorClass: 'transient' })
  expect(await failureOf(publish(await openAt([unused, ...at('/blocked')])))).toMatchObject({ errorClass: 'transient' })
})

test.each([
  ['closes the connection', 'landed_then_reset'],
  ['answers something else', 'wrong_json'],
  ['answers half a frame', 'truncated_json'],
] as const)('a relay that takes the post and %s leaves it in doubt, and a repeat settles it', async (_, kind) => {
  const call = await open({ text: 'Hello' })
  const { ready } = await prepared(call)
  fault({ fault: kind })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  const landed = await commit(call, ready)
  expect(platforms.published()).toMatchObject([{ url: landed.url }])
})

test('doubt about one relay does not count where another has the post', async () => {
  const lost = await relayThat(() => undefined)
  const call = await openAt([lost, ...at('')])
  expect(await publish(call)).toEqual({ id: sent()[0]?.id, url: expect.stringContaining('https://njump.me/nevent1') })
})

test('a relay that has the event already may say so either way', async () => {
  const relay = await relayThat(([verb, event], send) => {
    if (verb === 'EVENT') send(JSON.stringify(['OK', Object(event).id, false, 'duplicate: already have this event']))
  })
  expect(await publish(await openAt([relay]))).toMatchObject({ id: expect.any(String) })
})

test('the account authenticates to a relay that requires it, to write and to read', async () => {
  const call = await openAt(at('/auth'))
  const { ready } = await prepared(call)
  const landed = await commit(call, ready)
  expect(calls().map(({ operation }) => operation)).toEqual(['create', 'auth', 'create'])
  expect(sent('auth')).toMatchObject([
    {
      kind: 22_242,
      content: '',
      tags: [
        ['relay', at('/auth')[0]],
        ['challenge', expect.stringMatching(/^[\da-f]{16}$/)],
      ],
    },
  ])
  expect(await probe(call, ready)).toEqual({ kind: 'published', ...landed })
  const again = await openAt(at('/auth'), 'Again')
  fault({ operation: 'auth', fault: 'token_revoked' })
  expect(await failureOf(publish(again))).toMatchObject({ errorClass: 'blocked' })
})

test('an answer missing from one relay does not mean absent', async () => {
  const call = await openAt(at('', '/two'))
  const { ready } = await prepared(call)
  fault({ operation: 'read', fault: 'reset_before' })
  expect(await probe(call, ready)).toEqual({ kind: 'unclear' })
  fault({ operation: 'read', fault: 'blocked' })
  expect(await probe(call, ready)).toEqual({ kind: 'unclear' })
  const [first = '', second = ''] = at('', '/two')
  const there = await commit({ ...call, account: { ...call.account, details: { relays: second } } }, ready)
  expect(await probe(call, ready)).toMatchObject({ kind: 'published', id: there.id })
  expect(await probe({ ...call, account: { ...call.account, details: { relays: first } } }, ready)).toEqual({
    kind: 'absent',
  })
})

test('an event that its author did not sign is not read', async () => {
  const call = await openAt(at(''))
  const { ready } = await prepared(call)
  const { id = '' } = await commit(call, ready)
  const [event] = sent()
  const liar = await relayThat(([verb, key], send) => {
    if (verb !== 'REQ') return
    send(JSON.stringify(['EVENT', key, { ...event, sig: 'ab'.repeat(64) }]))
    send(JSON.stringify(['EVENT', key, { ...event, content: 'Forged' }]))
    send(JSON.stringify(['EOSE', key]))
  })
  expect(id).toBe(event?.id)
  const relayCall = { ...call, account: { ...call.account, details: { relays: liar } } }
  expect(await probe(relayCall, ready)).toEqual({ kind: 'absent' })
})

test('a deletion that a relay ignores is not done', async () => {
  const call = await openAt(at('', '/keeps'))
  const { id } = await publish(call)
  expect(await failureOf(nostr.remove?.(call, String(id)) ?? Promise.resolve())).toMatchObject({
    errorClass: 'transient',
    message: 'Nostr relays still show the post.',
  })
  const elsewhere = { ...call, account: { ...call.account, details: { relays: at('')[0] ?? '' } } }
  await nostr.remove?.(elsewhere, String(id))
})

test.each([
  [401, 'blocked', /does not accept files of this account: not you/],
  [402, 'blocked', /asks for a payment/],
  [413, 'invalid', /files of this size/],
  [415, 'invalid', /files of this type/],
  [429, 'rate', /rate limit/],
  [503, 'transient', /clear response/],
])('a media server answers %i', async (status, errorClass, message) => {
  const call = await open({ media: [await site.file()] })
  fault({ operation: 'upload', fault: 'status', status, body: { message: 'not you' } })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass, message: expect.stringMatching(message) })
  expect(platforms.published()).toEqual([])
})

test('a media server that names another file is not believed', async () => {
  const call = await open({ media: [await site.file()] })
  const body = { url: 'https://media.nostr.test/a.png', sha256: 'ab'.repeat(32) }
  fault({ operation: 'upload', fault: 'status', status: 200, body })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
})

test('a post with files by an account without a media server is refused before it is sent', async () => {
  const call = await openAt(at(''))
  const account = { ...call.account, details: { relays: at('')[0] ?? '' } }
  const error = await failureOf(prepared({ ...call, account, post: site.post({ media: [await site.file()] }) }))
  expect(error).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining('no media server') })
})

/** Writes 2,000 frames to a connection, unless it is cut off; returns how many it took. */
const flood = async (socket: WebSocket, frame: string): Promise<number> => {
  let frames = 0
  for (; socket.readyState === socket.OPEN && frames < 2_000; frames += 1) {
    await new Promise((resolve) => socket.send(frame, resolve))
  }
  return frames
}

test.each([
  ['large messages', JSON.stringify(['NOTICE', 'x'.repeat(60_000)])],
  ['small messages', JSON.stringify(['NOTICE', ''])],
  ['events that nobody asked for', JSON.stringify(['EVENT', 's1', { content: 'x'.repeat(60_000) }])],
])('relays that flood a publication with %s are cut off', async (_, frame) => {
  const taken: Promise<number>[] = []
  const floods = Array.from({ length: 10 }, async () => {
    const server = createServer()
    const sockets = new WebSocketServer({ server })
    sockets.on('connection', (socket) => socket.once('message', () => taken.push(flood(socket, frame))))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
    })
    const address = server.address()
    return `ws://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  const connections: Socket[] = []
  const count = (message: unknown) =>
    connections.push(z.parse(z.object({ socket: z.instanceof(Socket) }), message).socket)
  subscribe('net.client.socket', count)
  const call = await openAt(await Promise.all(floods))
  const error = await failureOf(publish(call)).finally(() => unsubscribe('net.client.socket', count))
  expect(error).toMatchObject({
    errorClass: 'unknown',
    info: { detail: expect.stringMatching(/sent more than \d+ (bytes|messages)/) },
  })
  expect(taken).toHaveLength(10)
  await Promise.all(taken)
  // Node reads 64 KB at a time.
  const received = connections.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  expect(received).toBeGreaterThan(0)
  expect(received).toBeLessThan(10 * (relayBounds.bytes + 64 * 1024))
})

test('relays on a private network are not called', async () => {
  const call = await openAt(['wss://127.0.0.1', 'wss://10.0.0.1:7777', 'ws://relay.example'])
  const error = await failureOf(publish({ ...call, ctx: site.ctx({ ALLOWED_ORIGINS: '' }) }))
  expect(error).toMatchObject({
    errorClass: 'transient',
    info: { detail: expect.stringContaining('not on the public internet') },
  })
})
