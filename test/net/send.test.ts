import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createTcp, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { failure, get, listen } from './listen.ts'

const serve = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createHttp(answer))}`
const serveRaw = async (answer: (socket: Socket) => void) => `http://127.0.0.1:${await listen(createTcp(answer))}`

test('sends the request unchanged and returns the response as bytes', async () => {
  const url = await serve(async (incoming, outgoing) => {
    outgoing.writeHead(201, { 'X-Id': '7', 'Set-Cookie': ['a=1', 'b=2'] })
    const body = (await incoming.toArray()).join('')
    outgoing.end(`${incoming.method} ${incoming.url} ${incoming.headers['x-key']} ${body}`)
  })
  const over = { method: 'PUT', headers: { 'X-Key': 'k' }, body: new TextEncoder().encode('ü') }
  const answer = await get(`${url}/a%20b?c=d#e`, over)
  expect(answer).toMatchObject({ status: 201, truncated: false })
  expect(answer.headers).toMatchObject({ 'x-id': '7', 'set-cookie': 'a=1,b=2' })
  expect(new TextDecoder().decode(answer.body)).toBe('PUT /a%20b?c=d k ü')
})

test.each(['POST', 'DELETE', 'GET'])('a %s with a body has a Content-Length in bytes', async (method) => {
  const url = await serve((incoming, outgoing) => outgoing.end(String(incoming.headers['content-length'])))
  expect(String((await get(url, { method, body: 'ü' })).body)).toBe('2')
})

test('returns a redirect without following it', async () => {
  let calls = 0
  const url = await serve((_, outgoing) => {
    calls += 1
    outgoing.writeHead(302, { location: '/next' }).end()
  })
  expect(await get(url)).toMatchObject({ status: 302, headers: { location: '/next' } })
  expect(calls).toBe(1)
})

test('keeps a compressed body compressed', async () => {
  const bomb = gzipSync(Buffer.alloc(100_000))
  const url = await serve((_, outgoing) => outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  expect(Buffer.compare((await get(url)).body, bomb)).toBe(0)
})

test('truncates a body over the limit and closes its connection', async () => {
  const ended = Promise.withResolvers<void>()
  const url = await serve((_, outgoing) => {
    outgoing.on('close', ended.resolve)
    const more = () => outgoing.write('x'.repeat(16_384), () => outgoing.destroyed || setImmediate(more))
    more()
  })
  const { body, truncated } = await get(url)
  expect([body.length, truncated]).toEqual([1000, true])
  await ended.promise
})

test('returns a body of exactly the limit in full', async () => {
  const url = await serve((_, outgoing) => outgoing.end('x'.repeat(1000)))
  const { body, truncated } = await get(url)
  expect([body.length, truncated]).toEqual([1000, false])
})

test.each<[string, RequestListener]>([
  ['no response', () => {}],
  ['a head without a body', (_, outgoing) => outgoing.flushHeaders()],
  ['a body that never ends', (_, outgoing) => outgoing.write('x')],
])('%s within the total timeout is a timeout after sending', async (_, answer) => {
  const url = await serve(answer)
  expect(await failure(url, { totalMs: 100 })).toEqual({ code: 'timeout', sent: true })
})

test('a slow body cannot exceed the total timeout', async () => {
  const url = await serve((_, outgoing) => {
    const drip = setInterval(() => outgoing.write('x'), 10)
    outgoing.on('close', () => clearInterval(drip))
  })
  expect(await failure(url, { totalMs: 150 })).toEqual({ code: 'timeout', sent: true })
})

test('the connect timeout does not limit the response', async () => {
  const url = await serve((_, outgoing) => setTimeout(() => outgoing.end('late'), 400))
  expect(String((await get(url, { connectMs: 300 })).body)).toBe('late')
})

test.each<[string, (socket: Socket) => void]>([
  ['a reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['an end', (socket) => socket.once('data', () => socket.end())],
  ['half a head', (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx-a: '))],
  ['half a body', (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'))],
  ['an answer that is no HTTP', (socket) => socket.once('data', () => socket.end('+PONG\r\n'))],
  [
    'a head without end',
    (socket) => socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(99_999)}`)),
  ],
  [
    'a switch of protocols',
    (socket) => socket.once('data', () => socket.write('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')),
  ],
])('%s is a reset after sending', async (_, answer) => {
  const url = await serveRaw((socket) => answer(socket.on('error', () => {})))
  expect(await failure(url, { method: 'POST', body: 'x' })).toEqual({ code: 'reset', sent: true })
})

test('a refused connection reports that nothing was sent', async () => {
  expect(await failure(`http://127.0.0.1:${await freePort()}`)).toEqual({ code: 'connect', sent: false })
})

test('a name that does not resolve reports that nothing was sent', async () => {
  // No resolver is queried for a label of more than 63 characters.
  expect(await failure(`http://${'a'.repeat(64)}.example`)).toEqual({ code: 'dns', sent: false })
})

test.each(['', 'example.com', 'ftp://127.0.0.1/', 'file:///etc/passwd'])('rejects the URL %j', async (url) => {
  expect(await failure(url)).toEqual({ code: 'bad_address', sent: false })
})

test('reuses a connection for the next request, but not after a long idle time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const url = await serve((incoming, outgoing) => outgoing.end(String(incoming.socket.remotePort)))
  const port = async () => String((await get(url)).body)
  const first = await port()
  expect(await port()).toBe(first)
  vi.setSystemTime(Date.now() + 16_000)
  expect(await port()).not.toBe(first)
  vi.useRealTimers()
})

test('a reused connection that is dead is a reset after sending, and nothing is sent again', async () => {
  let calls = 0
  const url = await serve((incoming, outgoing) => {
    calls += 1
    if (calls === 1) outgoing.end('x')
    else incoming.socket.resetAndDestroy()
  })
  await get(url)
  expect(await failure(url)).toEqual({ code: 'reset', sent: true })
  expect(calls).toBe(2)
})
