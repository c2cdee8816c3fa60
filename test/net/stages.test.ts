import { createServer as createHttp } from 'node:http'
import { createServer as createTcp } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDeaf } from './deaf.ts'
import { get, listen } from './listen.ts'

const enough = { dns: 5000, connect: 5000, tls: 5000 }

/** What ended a request that took too long, by the text of its message. */
const boundBy = async (...[url, over]: Parameters<typeof get>) => {
  const error: unknown = await get(url, over).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'timeout', sent: false })
  return error instanceof Error ? error.message.replace(/[\w.]+:\d+/, 'host') : ''
}

test('the lookup timeout limits a silent name server', async () => {
  const guard = { allowedOrigins: [], resolve: () => new Promise<never>(() => {}) }
  const bound = await boundBy('https://a.example:8443', { guard, stagesMs: { ...enough, dns: 50 } })
  expect(bound).toBe('The name lookup of host took longer than 50 ms.')
})

test.each([
  '127.0.0.1',
  'localhost',
])('the connect timeout limits a connection to %s that is never accepted', async (host) => {
  const { port, close } = await openDeaf()
  onTestFinished(close)
  const bound = await boundBy(`https://${host}:${port}`, { stagesMs: { ...enough, connect: 100 } })
  expect(bound).toBe('The connection to host took longer than 100 ms.')
})

test('the TLS timeout limits a handshake that hangs', async () => {
  const port = await listen(createTcp())
  const bound = await boundBy(`https://127.0.0.1:${port}`, { stagesMs: { ...enough, tls: 50 } })
  expect(bound).toBe('The TLS handshake with host took longer than 50 ms.')
})

test('the total timeout applies whatever the stage timeouts are', async () => {
  const port = await listen(createTcp())
  const bound = await boundBy(`https://127.0.0.1:${port}`, { stagesMs: enough, totalMs: 50 })
  expect(bound).toBe('host did not respond in full within 50 ms.')
})

test('stage timeouts end with their stage', async () => {
  const port = await listen(createHttp((_, outgoing) => setTimeout(() => outgoing.end('late'), 600)))
  const stagesMs = { dns: 400, connect: 400, tls: 400 }
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(String((await get(`http://${host}:${port}`, { stagesMs })).body)).toBe('late')
  }
})

test('a reused connection has no stage timeouts', async () => {
  const url = `http://127.0.0.1:${await listen(createHttp((_, outgoing) => setTimeout(() => outgoing.end('x'), 300)))}`
  await get(url, { stagesMs: enough })
  expect(String((await get(url, { stagesMs: { dns: 100, connect: 100, tls: 100 } })).body)).toBe('x')
})

test('no timer is left after a response', async () => {
  const url = `http://127.0.0.1:${await listen(createHttp((_, outgoing) => outgoing.end('x')))}`
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  await Promise.all(Array.from({ length: 20 }, () => get(url, { stagesMs: enough, connectMs: 5000 })))
  expect(timers()).toBe(before)
})

test('a request that fails before writing leaves no timer', async () => {
  const port = await listen(createTcp())
  const sending = get(`http://127.0.0.1:${port}`, { headers: { 'X-Bad': 'a\nb' }, totalMs: 20 })
  await expect(sending).rejects.toThrow('Invalid character')
  // A bound that was left would end the process now.
  await new Promise((resolve) => setTimeout(resolve, 50))
})
