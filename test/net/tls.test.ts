import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { expired, good, key, misnamed, trust } from './certificates.ts'
import { failure, get, listen } from './listen.ts'

async function serveTls() {
  const seen: string[] = []
  const server = createHttps({ key, cert: good }, (incoming, outgoing) => {
    // An https server's sockets are TLS sockets.
    seen.push(`${(incoming.socket as TLSSocket).servername} ${incoming.headers.host}`)
    outgoing.end('ok')
  })
  return { port: await listen(server), seen }
}

test('rejects a self-signed certificate before sending', async () => {
  const { port, seen } = await serveTls()
  const guard = { allowedOrigins: [`https://localhost:${port}`] }
  expect(await failure(`https://localhost:${port}`, { guard })).toEqual({ code: 'tls', sent: false })
  expect(await failure(`https://localhost:${port}`)).toEqual({ code: 'tls', sent: false })
  expect(seen).toEqual([])
})

test.each([
  ['of another name', misnamed, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['that has expired', expired, 'CERT_HAS_EXPIRED'],
])('rejects a certificate %s before sending, whoever signed it', async (_, cert, code) => {
  onTestFinished(trust(cert))
  let calls = 0
  const server = createHttps({ key, cert }, (_incoming, outgoing) => {
    calls += 1
    outgoing.end('ok')
  })
  const url = `https://127.0.0.1:${await listen(server)}`
  expect(await failure(url)).toEqual({ code: 'tls', sent: false })
  await expect(get(url)).rejects.toMatchObject({ cause: { code } })
  expect(calls).toBe(0)
})

test('a valid certificate lets the request through, with the server name and Host of the URL', async () => {
  onTestFinished(trust(good))
  const { port, seen } = await serveTls()
  expect(String((await get(`https://localhost:${port}`, { connectMs: 4000 })).body)).toBe('ok')
  expect(String((await get(`https://localhost.:${port}`)).body)).toBe('ok')
  expect(seen).toEqual([`localhost localhost:${port}`, `localhost localhost:${port}`])
})

test('sends nothing to a server without TLS', async () => {
  const port = await listen(createHttp((_, outgoing) => outgoing.end('ok')))
  expect(await failure(`https://127.0.0.1:${port}`)).toEqual({ code: 'tls', sent: false })
})

test.each<[string, (socket: Socket) => void]>([
  ['broken off', (socket) => socket.destroy()],
  ['reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
])('sends nothing when the handshake is %s', async (_, answer) => {
  const port = await listen(createTcp((socket) => answer(socket.on('error', () => {}))))
  expect(await failure(`https://127.0.0.1:${port}`)).toEqual({ code: 'tls', sent: false })
})

test('the connect timeout limits a handshake that hangs', async () => {
  const port = await listen(createTcp())
  expect(await failure(`https://127.0.0.1:${port}`, { connectMs: 100 })).toEqual({ code: 'timeout', sent: false })
})
