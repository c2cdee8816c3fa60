import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { failure, get, listen } from './listen.ts'

// For tests only: self-signed, valid until 2126, for localhost and 127.0.0.1.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9s157U4ooJwhEepo
pjDVB7sru6xgDfr2KDnWRl8zqtihRANCAASVFBGtZVOV3SkmM46CpJBK54ME8dea
Bsat2El+TFGKvLHJqJP+cSJVq9uRe+BYrIKLE9DYcqDADoKCC7yEOqFF
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUWPtL2xYEsNlBLda9jaKmUpNqRhcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA5MDgzMVoYDzIxMjYxMDI4
MDkwODMxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASVFBGtZVOV3SkmM46CpJBK54ME8deaBsat2El+TFGKvLHJqJP+cSJV
q9uRe+BYrIKLE9DYcqDADoKCC7yEOqFFo28wbTAdBgNVHQ4EFgQUFxWNhHh3M1sW
rkE1P8ey4VwX1BAwHwYDVR0jBBgwFoAUFxWNhHh3M1sWrkE1P8ey4VwX1BAwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgML0026YeVx6ZyJGb51HV/eVWNFK80K7YWFQdfhKeLuoCIHUs
zYY0DABMV0JpIVAvYwRDJkX9X6p+uJN5ZJ8Vm83A
-----END CERTIFICATE-----`

async function serveTls() {
  const seen: string[] = []
  const server = createHttps({ key, cert }, (incoming, outgoing) => {
    // An https server's sockets are TLS sockets.
    seen.push(`${(incoming.socket as TLSSocket).servername} ${incoming.headers.host}`)
    outgoing.end('ok')
  })
  return { port: await listen(server), seen }
}

function trustCertificate() {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  onTestFinished(() => setDefaultCACertificates(before))
}

test('a certificate that nobody signed ends the call before the request', async () => {
  const { port, seen } = await serveTls()
  const guard = { allowedOrigins: [`https://localhost:${port}`] }
  expect(await failure(`https://localhost:${port}`, { guard })).toEqual({ code: 'tls', sent: false })
  expect(await failure(`https://localhost:${port}`)).toEqual({ code: 'tls', sent: false })
  expect(seen).toEqual([])
})

test('a certificate of another name ends the call before the request', async () => {
  trustCertificate()
  const server = createHttps({ key, cert }, (_, outgoing) => outgoing.end('ok'))
  const port = await listen(server, '127.0.0.2')
  expect(await failure(`https://127.0.0.2:${port}`)).toEqual({ code: 'tls', sent: false })
})

test('with a good certificate the request goes through, and server name and Host are those of the address', async () => {
  trustCertificate()
  const { port, seen } = await serveTls()
  expect(String((await get(`https://localhost:${port}`, { connectMs: 4000 })).body)).toBe('ok')
  expect(String((await get(`https://localhost.:${port}`)).body)).toBe('ok')
  expect(seen).toEqual([`localhost localhost:${port}`, `localhost localhost:${port}`])
})

test('a server that speaks no TLS has been sent nothing', async () => {
  const port = await listen(createHttp((_, outgoing) => outgoing.end('ok')))
  expect(await failure(`https://127.0.0.1:${port}`)).toEqual({ code: 'tls', sent: false })
})

test.each<[string, (socket: Socket) => void]>([
  ['broken off', (socket) => socket.destroy()],
  ['reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
])('a handshake that is %s has sent nothing', async (_, answer) => {
  const port = await listen(createTcp((socket) => answer(socket.on('error', () => {}))))
  expect(await failure(`https://127.0.0.1:${port}`)).toEqual({ code: 'tls', sent: false })
})

test('a handshake that hangs is bound by the time to connect', async () => {
  const port = await listen(createTcp())
  expect(await failure(`https://127.0.0.1:${port}`, { connectMs: 100 })).toEqual({ code: 'timeout', sent: false })
})
