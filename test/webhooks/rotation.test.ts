import { createServer } from 'node:http'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Delivery } from '../../infra/local/inbox/delivery.ts'
import { dayMs, minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, receivedBy, removeHooks } from './hooks.ts'
import { type Opened, open } from './receivers/open.ts'
import { verifyFixed } from './receivers.ts'

/** What a receiver knows that reads only the fixed header, and what it has taken. */
interface Narrow {
  secret: string
  taken: string[]
  refused: number
  /** Happens while the first delivery is under way. */
  concurrentAct?: () => Promise<void>
}

const narrow = new Map<string, Narrow>()

const receiver = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const own = narrow.get(request.url ?? '')
  if (!own) return response.writeHead(404).end()
  const { concurrentAct } = own
  delete own.concurrentAct
  await concurrentAct?.()
  const header = (name: string) => String(request.headers[name.toLowerCase()])
  const headers = Object.fromEntries(['X-Service-Signature', 'X-Service-Timestamp'].map((name) => [name, header(name)]))
  const genuine = verifyFixed(headers, body, own.secret)
  if (genuine) own.taken.push(header('X-Service-Event-Id'))
  else own.refused += 1
  return response.writeHead(genuine ? 200 : 401).end()
})

let kit: Kit
let opened: Opened
beforeAll(async () => {
  opened = await open(receiver)
  kit = await start({ startMs: Date.now(), allowedOrigins: [`http://127.0.0.1:${opened.port}`] })
})
afterAll(async () => {
  await kit.close()
  opened.close()
})

const libraries = { standardwebhooks: StandardWebhook, svix: SvixWebhook }

/** Whether a library takes a delivery with a secret, at the moment it came. */
const takes = (library: keyof typeof libraries, secret: string, { headers, rawBody, receivedAt }: Delivery) => {
  vi.useFakeTimers({ toFake: ['Date'], now: receivedAt })
  try {
    new libraries[library](secret).verify(rawBody, headers)
    return true
  } catch {
    return false
  } finally {
    vi.useRealTimers()
  }
}

test('standardwebhooks and svix verify deliveries before, during, and after a rotation, including retries and tests', async () => {
  const { id, secret } = await makeHook(kit, 'hook')
  const rotate = () => kit.sessionApi.webhooks.rotateSecret({ params: { id } })
  const arrivalsWith = async (...secrets: string[]) => {
    const before = receivedBy(kit, 'hook').length
    kit.inbox.behaviors.add({ name: 'hook', times: 1, status: 500 })
    await emit(kit)
    await kit.service.pass(10_000)
    await kit.sessionApi.webhooks.sendTest({ params: { id } })
    await kit.service.drain()
    const arrived = receivedBy(kit, 'hook').slice(before)
    expect(arrived.map(({ headers }) => headers['x-service-delivery-attempt'])).toEqual(['1', '2', '1'])
    const decideNext = (library: keyof typeof libraries) =>
      secrets.map((secret) => arrived.map((d) => takes(library, secret, d)))
    const judged = decideNext('standardwebhooks')
    expect(decideNext('svix')).toEqual(judged)
    return judged.map((each) => (new Set(each).size === 1 ? each[0] : each))
  }
  expect(await arrivalsWith(secret)).toEqual([true])
  const { secret: second } = await rotate()
  expect(await arrivalsWith(secret, second)).toEqual([true, true])
  const { secret: third } = await rotate()
  expect(await arrivalsWith(secret, second, third)).toEqual([true, true, true])
  kit.clock.pass(dayMs)
  expect(await arrivalsWith(secret, second, third)).toEqual([false, false, true])
  await removeHooks(kit)
})

/** An endpoint whose receiver knows only the fixed header and the secret it was made with. */
const makeNarrow = async (name: string) => {
  const url = `http://127.0.0.1:${opened.port}/${name}`
  const { id, secret } = await makeHook(kit, name, { url })
  const own: Narrow = { secret, taken: [], refused: 0 }
  narrow.set(`/${name}`, own)
  return { id, own }
}

/** How each event ended, by its last attempt, and the events themselves. */
const fatesOf = async (id: string) => new Map((await logOf(kit, id)).map((row) => [row.eventId, row.status]))

test.each([
  ['and the old one ends immediately', { body: { expireOldInSeconds: 0 } }],
  ['and the old one lives for a day', {}],
])('a receiver of the fixed header that gets the new secret hours later %s loses nothing', async (_title, body) => {
  const { id, own } = await makeNarrow('late')
  for (let n = 0; n < 2; n += 1) await emit(kit)
  await kit.service.drain()
  expect(own).toMatchObject({ refused: 0, taken: { length: 2 } })
  const { secret } = await kit.sessionApi.webhooks.rotateSecret({ params: { id }, ...body })
  for (let n = 0; n < 3; n += 1) {
    await emit(kit)
    await kit.service.pass(30 * minuteMs, { tickMinutes: 10 })
  }
  expect(own.taken).toHaveLength(2)
  expect(own.refused).toBeGreaterThan(3)
  own.secret = secret
  await kit.service.pass(dayMs, { tickMinutes: 30 })
  const fates = await fatesOf(id)
  expect(fates.size).toBe(5)
  expect(new Set(own.taken)).toEqual(new Set(fates.keys()))
  expect(new Set(fates.values())).toEqual(new Set(['succeeded']))
  await removeHooks(kit)
})

test('a receiver of the fixed header that gets the new secret before a delivery with the old one loses nothing', async () => {
  const { id, own } = await makeNarrow('early')
  own.concurrentAct = async () => {
    const { secret } = await kit.sessionApi.webhooks.rotateSecret({ params: { id }, body: { expireOldInSeconds: 0 } })
    own.secret = secret
  }
  await emit(kit)
  await kit.service.drain()
  expect(own).toMatchObject({ refused: 1, taken: [] })
  await kit.service.pass(minuteMs)
  expect([...(await fatesOf(id))]).toEqual([[own.taken[0], 'succeeded']])
  expect(own).toMatchObject({ refused: 1, taken: { length: 1 } })
})
