import { expect, test } from 'vitest'
import { start } from '../support/start.ts'
import { emit, logOf, makeHook, moveTo, receivedBy } from './hooks.ts'

test('whatever a receiver does is logged by its name, and nothing but 2xx within 15 s is a success', async () => {
  const kit = await start()
  const cases = [
    { name: 'good', how: { status: 204 }, logged: ['succeeded', 204, null] },
    { name: 'late', how: { delayMs: 300 }, logged: ['succeeded', 200, null] },
    { name: 'slow', how: { delayMs: 60_000 }, logged: ['failed', null, 'timeout'] },
    { name: 'hang', how: { hang: true }, logged: ['failed', null, 'timeout'] },
    { name: 'reset', how: { reset: true }, logged: ['failed', null, 'connect'] },
    { name: 'refuses', how: { status: 404 }, logged: ['failed', 404, 'http_status'] },
    { name: 'moved', how: { location: `${kit.service.inboxUrl}/hooks/trap` }, logged: ['failed', 302, 'redirect'] },
    { name: 'closed', url: 'http://127.0.0.1:9/hook', logged: ['failed', null, 'blocked_address'] },
    { name: 'plain', url: 'http://example.com/', logged: ['failed', null, 'blocked_address'] },
    { name: 'metadata', url: 'https://169.254.169.254/latest', logged: ['failed', null, 'blocked_address'] },
  ]
  const ids = new Map<string, string>()
  for (const { name, how, url } of cases) {
    const { id } = await makeHook(kit, name)
    ids.set(name, id)
    if (how) kit.inbox.behaviours.add({ name, times: 1, ...how })
    if (url) await moveTo(kit, id, url)
  }
  await emit(kit)
  await kit.service.deliver()
  const startedMs = Date.now()
  await kit.service.deliver()
  expect(Date.now() - startedMs).toBeGreaterThan(14_900)
  expect(Date.now() - startedMs).toBeLessThan(25_000)
  for (const { name, logged } of cases) {
    const [first, next] = await logOf(kit, ids.get(name) ?? '')
    expect([name, first?.status, first?.httpStatus, first?.errorCode]).toEqual([name, ...logged])
    expect(first).toMatchObject({
      attempt: 1,
      nextAttemptAt: null,
      requestedAt: new Date(kit.clock.now()).toISOString(),
    })
    expect(next?.attempt).toBe(first?.status === 'failed' ? 2 : undefined)
  }
  expect(receivedBy(kit, 'trap')).toEqual([])
  expect((await logOf(kit, ids.get('late') ?? ''))[0]?.responseSnippet).toBe('as told')
})
