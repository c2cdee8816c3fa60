import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { AdmissionLimits } from '../gateway/admission.ts'
import type { BodyLimits } from '../gateway/body-budget.ts'
import { serveGateway } from '../gateway.ts'
import { listen } from '../pages/server.ts'
import type { ApiPlan } from '../template/api.ts'

const uri =
  'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:0:function:one/invocations'
const api: ApiPlan = {
  id: 'api',
  stageName: 'live',
  binaryTypes: [],
  minimumCompressionBytes: undefined,
  paths: [{ path: '/things', methods: new Map([['POST', { type: 'aws_proxy', uri, credentials: 'role' }]]) }],
  gatewayResponses: { DEFAULT_5XX: { responseParameters: {}, responseTemplates: { 'application/json': 'broken' } } },
}

/** A gateway before a function that takes so long, and the most calls that ran concurrently. */
const serve = async (tookMs: number, admission: Partial<AdmissionLimits>, bodies?: BodyLimits) => {
  const listener = await listen(0)
  onTestFinished(() => listener.close())
  const work = { now: 0, peak: 0, done: 0 }
  serveGateway(listener, {
    api,
    clock: Date,
    admission,
    ...(bodies && { bodies }),
    report: () => {},
    async invoke() {
      work.now += 1
      work.peak = Math.max(work.peak, work.now)
      await sleep(tookMs)
      work.now -= 1
      work.done += 1
      return { statusCode: 201, body: '{}' }
    },
  })
  const send = async () => {
    const startedAt = performance.now()
    const answer = await fetch(`${listener.url}/things`, { method: 'POST', body: 'x'.repeat(1000) })
    const doneThen = work.done
    const text = await answer.text()
    return { answer, status: answer.status, text, doneThen, tookMs: performance.now() - startedAt }
  }
  return { send, work, url: listener.url }
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

test('requests of a burst are queued and all answered', async () => {
  const { send, work } = await serve(20, { atOnce: 4 })
  const answers = await Promise.all(times(60, send))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(work).toMatchObject({ peak: 4, done: 60 })
})

test('half requests take no slot from whole ones', async () => {
  const { send, url } = await serve(5, { atOnce: 2, waiting: 0 })
  const { port, hostname } = new URL(url)
  for (let n = 0; n < 5; n += 1) {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write('POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf')
  }
  // Their bytes have arrived when a request that came later is answered.
  expect([(await send()).status, (await send()).status]).toEqual([201, 201])
})

test('bodies that fill their memory are refused until it is free, and the others are answered', async () => {
  const { send, url } = await serve(5, {}, { bytes: 4_000, bytesEach: 2_500 })
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n${'x'.repeat(2_000)}`)
  // Half a body has arrived when a request that came later is answered.
  await expect.poll(async () => (await send()).status).toBe(503)
  expect((await fetch(`${url}/things`, { method: 'POST', body: 'short' })).status).toBe(201)
  socket.destroy()
  await expect.poll(async () => (await send()).status).toBe(201)
})

const get = 'GET /things HTTP/1.1\r\nHost: x\r\n\r\n'

/** A server whose responses have 1 MB, and a connection that sends this many requests without waiting. */
const pipeline = async (count: number, stalledMs?: number) => {
  const listener = await listen(0, { stalledMs })
  onTestFinished(() => listener.close())
  const seen: (string | undefined)[] = []
  const sockets = new Set<Socket>()
  listener.onRequest((request, response) => {
    seen.push(request.url)
    sockets.add(request.socket)
    response.end(Buffer.alloc(1_000_000, 'x'))
  })
  const { port, hostname } = new URL(listener.url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(Array.from({ length: count }, (_, n) => get.replace('things', String(n))).join(''))
  return {
    socket,
    seen,
    isClosed: () => [...sockets].every(({ destroyed }) => destroyed),
    send: () => fetch(listener.url).then((answer) => answer.status),
  }
}

test('requests that are sent ahead are answered in turn: who does not read keeps one response', async () => {
  const { socket, seen, send } = await pipeline(20)
  // Responses that fit into the buffers of the system are taken from us; no more than one waits for its reader.
  await sleep(300)
  const unread = seen.length
  expect(unread).toBeLessThan(10)
  expect(await send()).toBe(200)
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  await expect.poll(() => bytes, { timeout: 10_000 }).toBeGreaterThan(20_000_000)
  expect(seen.filter((url) => url !== '/')).toEqual(Array.from({ length: 20 }, (_, n) => `/${n}`))
})

test('a connection that sends too many requests ahead, or takes no byte, is closed and others are served', async () => {
  for (const [count, stalledMs] of [
    [1_000, undefined],
    [20, 200],
  ] as const) {
    const { seen, isClosed, send } = await pipeline(count, stalledMs)
    await expect.poll(isClosed, { timeout: 10_000 }).toBe(true)
    expect(seen.length).toBeLessThan(40)
    expect(await send()).toBe(200)
  }
})

test('when the queue is full, a request gets 503 with Retry-After immediately and has no effect', async () => {
  const { send, work } = await serve(1_500, { atOnce: 2, waiting: 3 })
  const answers = await Promise.all(times(10, send))
  const away = answers.filter(({ status }) => status === 503)
  expect(away.length).toBe(5)
  for (const { answer, text, doneThen } of away) {
    expect(doneThen).toBe(0)
    expect(answer.headers.get('Retry-After')).toBe('1')
    expect(answer.headers.get('X-Request-Id')).toMatch(/\w/)
    expect(JSON.parse(text)).toEqual({
      success: false,
      requestId: answer.headers.get('X-Request-Id'),
      docUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/docs\/errors\/unavailable$/),
      code: 'unavailable',
      error: expect.stringContaining('Nothing was changed'),
    })
  }
  expect(work.done).toBe(5)
})

test('under constant overload no request waits for half a minute: the rest gets 503 quickly', async () => {
  const limits = { atOnce: 2, timeoutMs: 600, shortTimeoutMs: 200, standingAfterMs: 500 }
  const { send, work } = await serve(100, limits)
  const pending: ReturnType<typeof send>[] = []
  // Three times what two concurrent calls of 100 ms each can do.
  for (let n = 0; n < 240; n += 1) {
    pending.push(send())
    await sleep(16)
  }
  const answers = await Promise.all(pending)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 503]))
  expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(5_000)
  expect(work.peak).toBe(2)
  // It goes on working at full speed: what is turned away was not worked on.
  expect(work.done).toBe(answers.filter(({ status }) => status === 201).length)
  expect(work.done).toBeGreaterThan(10)
  expect((await send()).status).toBe(201)
})
