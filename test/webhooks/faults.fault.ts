import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { expired, misnamed, trust } from '../net/certificates.ts'
import { type NameServer, startNameServer } from '../net/name-server.ts'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, moveTo, removeHooks } from './hooks.ts'
import { knownNames, quickForms, slowForms } from './receivers/forms.ts'
import type { Receiver } from './receivers/serve.ts'

const forms = [...slowForms, ...quickForms]
const logs = new Map<string, Awaited<ReturnType<typeof logOf>>>()

let kit: Kit
let names: NameServer
let receivers: Receiver[]
let distrust: () => void
let slowestMs = 0
/** The origins of the receivers, in the order in which their deliveries ended. */
const ended: string[] = []
const noteEnds: ObserveFunction = ({ service, resource }, run) =>
  run().finally(() => {
    if (service === 'webhook') ended.push(resource)
  })
beforeAll(async () => {
  distrust = trust(expired, misnamed)
  names = await startNameServer()
  for (const [name, answer] of Object.entries(knownNames)) names.setAnswer(name, answer)
  receivers = await Promise.all(forms.map((form) => form.serve()))
  // Those with a port of this machine; the names stand for the internet.
  const origins = receivers.map(({ url }) => new URL(url).origin).filter((origin) => /:\d+$/.test(origin))
  kit = await start({ allowedOrigins: origins, observe: noteEnds })
  // A workspace has ten endpoints. Those that take their time are all called concurrently.
  for (let at = 0; at < forms.length; at += 10) {
    const some = forms.slice(at, at + 10)
    const ids = await Promise.all(some.map(async ({ title }) => (await makeHook(kit, title.slice(0, 80))).id))
    await Promise.all(ids.map((id, n) => moveTo(kit, id, receivers[at + n]?.url ?? '')))
    await emit(kit)
    await kit.service.deliver()
    const startedMs = performance.now()
    await kit.service.deliver({ together: true })
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    for (const [n, id] of ids.entries()) logs.set(some[n]?.title ?? '', await logOf(kit, id))
    await removeHooks(kit)
  }
}, 120_000)
afterAll(async () => {
  await kit.close()
  await Promise.all(receivers.map(({ close }) => close()))
  names.close()
  distrust()
})

test.each(forms)('logs $title by name and plans the next attempt', ({ title, logged, waits = [4, 6] }) => {
  const [first, next, ...more] = logs.get(title) ?? []
  expect(first).toMatchObject({ attempt: 1, nextAttemptAt: null, requestedAt: expect.any(String), ...logged })
  expect(more).toEqual([])
  expect(next?.attempt).toBe(logged.status === 'failed' ? 2 : undefined)
  if (!next) return
  const seconds = (Date.parse(next.nextAttemptAt ?? '') - Date.parse(next.createdAt)) / 1000
  expect(next).toMatchObject({ status: 'pending', requestedAt: null, httpStatus: null, errorCode: null })
  expect(seconds).toBeGreaterThanOrEqual(waits[0])
  expect(seconds).toBeLessThanOrEqual(waits[1])
})

test('lookup, connection, and handshake have their own timeouts, and the whole request fifteen seconds', () => {
  const slow = receivers.slice(0, slowForms.length).map(({ url }) => new URL(url).origin)
  const inOrder = ended.filter((origin) => slow.includes(origin))
  expect(inOrder.slice(0, 3)).toEqual(slow.slice(-3))
  expect(inOrder).toHaveLength(slow.length)
  expect(slowestMs).toBeGreaterThan(14_900)
})

test('stores at most 4 KiB of any body', () => {
  const storedLengths = forms.map(({ title }) => Buffer.byteLength(logs.get(title)?.[0]?.responseSnippet ?? ''))
  expect(Math.max(...storedLengths)).toBe(4096)
})
