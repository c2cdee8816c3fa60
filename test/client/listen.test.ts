import { createServer, request as openRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import {
  createClient,
  type ListenOptions,
  listen,
  type ReceivedEvent,
} from '../../infra/clients/javascript/src/index.ts'
import { scheduleOn } from '../journeys/author.ts'
import { start } from '../support/start.ts'
import { logOf } from '../webhooks/hooks.ts'
import { sign } from '../webhooks/vectors.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const eventOf = (id: string, type = 'post.published') => JSON.stringify({ id, type, data: { postId: 'post_1' } })

const signed = (body: string, with_ = secret, seconds = 0) => {
  const timestamp = Math.floor(Date.now() / 1000) + seconds
  return sign({ secret: with_, previous: [], eventId: 'evt_1', timestamp }, body)
}

/** The same receiver behind each kind of server; each answers the status and text of a request. */
const servers: Readonly<Record<string, (options: ListenOptions) => Promise<(init: RequestInit) => Promise<Response>>>> =
  {
    'node:http': async (options) => {
      const url = await serve(listen(options))
      return (init) => fetch(url, init)
    },
    'Express with express.raw': async (options) => {
      const url = await serve(express().post('/', express.raw({ type: '*/*', limit: '5mb' }), listen(options)))
      return (init) => fetch(url, init)
    },
    'a Fetch server': async (options) => {
      const listener = listen(options)
      return (init) => listener(new Request('http://localhost/webhooks', init))
    },
  }

test.each(Object.keys(servers))('%s: what is genuine reaches its handler, anything else its status', async (name) => {
  const handled: string[] = []
  const errors: unknown[] = []
  const send = await servers[name]?.({
    secret: ['whsec_AAAA', secret],
    maxBodyBytes: 1_000,
    onError: (error) => errors.push(error),
    on: {
      'post.published': ({ data, id }) => handled.push(`${id} ${data['postId']}`),
      'post.cancelled': () => Promise.reject(new Error('the database is down')),
      '*': ({ type }) => handled.push(type),
    },
  })
  const answerTo = async (body: string, headers: Record<string, string> = signed(body), method = 'POST') => {
    const response = await send?.({ method, headers, ...(method === 'POST' ? { body } : {}) })
    return [response?.status, await response?.text()]
  }
  expect(await answerTo(eventOf('evt_1'))).toEqual([204, ''])
  expect(await answerTo(eventOf('evt_2', 'a.later_release'))).toEqual([204, ''])
  expect(await answerTo(eventOf('evt_3', 'post.cancelled'))).toEqual([500, 'The handler of the event failed.'])
  expect(errors).toEqual([new Error('the database is down')])
  const event = eventOf('evt_4')
  for (const headers of [{}, signed(event, 'whsec_b3RoZXI='), signed(event, secret, -301), signed(`${event} `)]) {
    expect(await answerTo(event, headers)).toEqual([401, expect.stringMatching(/signature|timestamp/)])
  }
  for (const body of ['not JSON', 'null', '{"id":"evt_5"}', '[]', '']) {
    expect(await answerTo(body)).toEqual([400, 'The body is not an event.'])
  }
  const padded = (bytes: number) => eventOf('evt_6').padEnd(bytes)
  for (const bytes of [999, 1_000]) expect(await answerTo(padded(bytes))).toEqual([204, ''])
  expect(await answerTo(padded(1_001))).toEqual([413, 'The body has more than 1000 bytes.'])
  // Express answers other methods itself.
  if (name !== 'Express with express.raw') {
    expect(await answerTo('', {}, 'GET')).toEqual([405, 'A webhook is delivered by POST.'])
  }
  expect(handled).toEqual(['evt_1 post_1', 'a.later_release', 'evt_6 post_1', 'evt_6 post_1'])
})

test('a body of unknown length is read no further than the limit, and answered', async () => {
  const options = { secret, on: {}, maxBodyBytes: 100_000 }
  const url = await serve(listen(options))
  const request = openRequest(url, { method: 'POST' })
  const answered = new Promise<[status: number | undefined, connection: string | undefined]>((resolve, reject) => {
    request.on('response', ({ statusCode, headers }) => resolve([statusCode, headers.connection]))
    request.on('error', reject)
  })
  // It never ends.
  request.write(Buffer.alloc(150_000))
  expect(await answered).toEqual([413, 'close'])
  let taken = 0
  const endless = new ReadableStream({
    pull(controller) {
      taken += 1
      controller.enqueue(new Uint8Array(50_000))
    },
  })
  const init = { method: 'POST', body: endless, duplex: 'half' as const }
  expect((await listen(options)(new Request('http://localhost/', init))).status).toBe(413)
  expect(taken).toBeLessThan(10)
})

test('a body that a framework has parsed, and a missing secret, are errors that say what to do', async () => {
  const errors: unknown[] = []
  const options = { secret, on: {}, onError: (error: unknown) => errors.push(error) }
  const url = await serve(express().use(express.json()).post('/', listen(options)))
  const body = eventOf('evt_1')
  const response = await fetch(url, { method: 'POST', body, headers: signed(body) })
  expect(response.status).toBe(500)
  expect(String(errors)).toContain('Use express.raw, or no parser.')
  for (const missing of ['', [], [secret, ''], undefined as never]) {
    expect(() => listen({ secret: missing, on: {} })).toThrow('The secret of the webhook endpoint is missing.')
  }
})

test('an event that comes again, also while its handler runs, is handled once', async () => {
  const handled = new Set<string>()
  const order: string[] = []
  let release = () => {}
  const waiting = new Promise<void>((resolve) => {
    release = resolve
  })
  const on = {
    'post.published': async ({ id }: { id: string }) => {
      order.push(id)
      await waiting
      if (order.length === 1) throw new Error('once')
    },
  }
  const listener = listen({ secret, on, handled, onError: () => {} })
  const deliver = async (id: string, type?: string) => {
    const body = eventOf(id, type)
    return (await listener(new Request('http://localhost/', { method: 'POST', body, headers: signed(body) }))).status
  }
  const both = [deliver('evt_1'), deliver('evt_1')]
  // What came later is answered, so both have been verified.
  for (let n = 0; n < 10; n += 1) expect(await deliver(`evt_other_${n}`, 'post.cancelled')).toBe(204)
  release()
  expect(await Promise.all(both)).toEqual([500, 500])
  expect([await deliver('evt_1'), await deliver('evt_1'), await deliver('evt_2')]).toEqual([204, 204, 204])
  expect(order).toEqual(['evt_1', 'evt_1', 'evt_2'])
  expect([...handled].filter((id) => !id.includes('other'))).toEqual(['evt_1', 'evt_2'])
})

test('the service delivers to it, and again after a handler has failed', async () => {
  const received: ReceivedEvent[] = []
  const { webhooks } = createClient({ baseUrl: 'http://127.0.0.1:1' })
  let listener: RequestListener = () => {}
  const url = await serve((request, response) => listener(request, response))
  const kit = await start({ allowedOrigins: [url] })
  const made = await kit.sessionApi.webhooks.create({ body: { name: 'mine', url, events: ['post.scheduled'] } })
  let failures = 1
  listener = webhooks.listen({
    secret: made.secret,
    // The clock of the service is virtual.
    toleranceSeconds: 10 ** 10,
    handled: new Set<string>(),
    onError: () => {},
    on: {
      'post.scheduled': (event) => {
        if (failures-- > 0) throw new Error('not now')
        received.push(event)
      },
    },
  })
  const post = await scheduleOn(kit, 'bluesky', 'Hello', 86_400_000)
  await kit.service.pass(30_000)
  const attempts = await logOf(kit, made.id)
  expect(attempts.map(({ httpStatus }) => httpStatus)).toEqual([500, 204])
  const [last] = attempts.slice(-1)
  await kit.sessionApi.webhooks.redeliver({ params: { id: made.id, deliveryId: last?.id ?? '' } })
  await kit.service.pass(30_000)
  expect((await logOf(kit, made.id)).map(({ httpStatus }) => httpStatus)).toEqual([500, 204, 204])
  expect(received.map(({ data }) => data['postId'])).toEqual([post.id])
})
