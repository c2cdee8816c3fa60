import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute, routes } from '../../functions/routes.ts'
import { everyNth } from '../support/thin.ts'
import { startWired, type WiredKit } from '../support/wired.ts'
import { type Call, callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'

let kit: WiredKit
beforeAll(async () => {
  kit = await startWired()
}, 120_000)
afterAll(() => kit.close())

const die = () => kit.wire.breakBy(() => ({ kind: 'cut' }))

const health = async (query: string) => {
  const answer = await fetch(`${kit.url}/api/health${query}`)
  return { status: answer.status, retryAfter: answer.headers.get('Retry-After'), body: await answer.json() }
}

test('health returns ok without reading the table, and with deep=true reports whether the table responds', async () => {
  const calls = [...kit.wire.counts.values()].reduce((sum, times) => sum + times, 0)
  expect(await health('')).toEqual({ status: 200, retryAfter: null, body: { status: 'ok' } })
  expect([...kit.wire.counts.values()].reduce((sum, times) => sum + times, 0)).toBe(calls)
  expect(await health('?deep=false')).toMatchObject({ status: 200, body: { status: 'ok' } })
  const fine = { status: 200, retryAfter: null, body: { status: 'ok', checks: { table: 'ok' } } }
  expect(await health('?deep=true')).toEqual(fine)
  die()
  kit.clock.pass(2_000)
  expect(await health('?deep=true')).toMatchObject({
    status: 503,
    retryAfter: '5',
    body: { success: false, code: 'unavailable', status: 'unavailable', checks: { table: 'unavailable' } },
  })
  expect(await health('')).toMatchObject({ status: 200 })
  kit.wire.mend()
  kit.clock.pass(2_000)
  expect(await health('?deep=true')).toEqual(fine)
  expect(await health('?deep=perhaps')).toMatchObject({ status: 400, body: { field: 'deep' } })
})

/** Routes that answer without the table. */
const independent = ['meta.docs', 'meta.docsViewer', 'meta.health', 'meta.openapi']

test('when the table is down, every route returns 503 with Retry-After in the envelope, never 500', async () => {
  const calls: [string, (typeof routes)[number], Call][] = []
  for (const route of everyNth(3, routes)) calls.push([route.operation, route, await happyCall(route, kit)])
  die()
  const wrong: string[] = []
  const sendAll = async (queue: typeof calls) => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [name, route, call] = next
      const { status, headers, body } = await callRoute(kit.url, route, call)
      if (independent.includes(name) && status === 200) continue
      const isReported = status === 503 && /^\d+$/.test(headers.get('Retry-After') ?? '') && body?.['success'] === false
      if (!isReported && status >= 400) wrong.push(`${name}: ${status} ${JSON.stringify(body)}`)
      // What is counted here alone, and needs no row, goes on.
      if (status < 400) expect(route.endpoint.contract.access.kind, name).toBe('anyone')
    }
  }
  await Promise.all(Array.from({ length: 8 }, () => sendAll(calls)))
  kit.wire.mend()
  expect(wrong).toEqual([])
}, 240_000)

test('when the table is down, no page returns 500, and every 503 has Retry-After', async () => {
  const session = { Cookie: `svc_session=${kit.sessionToken}; __Host-svc_session=${kit.sessionToken}` }
  die()
  const pages = everyRoute.filter(({ endpoint }) => !endpoint.contract.path.startsWith('/api/'))
  for (const { endpoint } of pages) {
    const { method, path } = endpoint.contract
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }
    const answer = await fetch(`${kit.url}${path}?token=abc`, {
      method,
      redirect: 'manual',
      headers: method === 'POST' ? { ...session, ...form } : session,
      ...(method === 'POST' ? { body: 'email=a%40example.com&password=long+enough+words' } : {}),
    })
    expect(answer.status, `${method} ${path}`).not.toBe(500)
    if (answer.status === 503) expect(answer.headers.get('Retry-After'), path).toMatch(/^\d+$/)
  }
  kit.wire.mend()
})
