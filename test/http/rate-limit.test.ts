import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import type { FunctionEffect } from '../../infra/local/service/invocation.ts'
import { limitNameOf } from '../../shared/access/rate-limit.ts'
import { specifiedLimits } from '../../shared/limits/limits.ts'
import { countKeys } from '../../shared/resources.ts'
import { callFrom, routeOf, type Sent, send, tally } from '../limits/callers.ts'
import { type Kit, start } from '../support/start.ts'
import { badTokens } from '../support/world/actors.ts'
import { makeRecorder } from '../support/world/recorder.ts'
import { scanTable } from '../support/world/rows.ts'

const recorder = makeRecorder()
/** What the table does not answer. */
let failing = (_effect: FunctionEffect) => false
const nothing = () => false
const counts = ({ resource }: FunctionEffect) => resource.endsWith(`/${countKeys}`)
let kit: Kit

beforeAll(async () => {
  kit = await start({
    // As many as are quickly sent: the limit of providers is not specified.
    rateLimits: { ...specifiedLimits, provider: { calls: 50, perSeconds: 60 } },
    observe: (effect, run) => {
      if (failing(effect)) throw new Error('the table does not respond')
      return recorder.observe(effect, run)
    },
  })
})
afterAll(() => kit.close())

const [secondMs, minuteMs] = [1_000, 60_000]

beforeEach(() => {
  failing = nothing
  // So that every caller is full again.
  kit.clock.pass(30 * minuteMs)
})

const posts = (sent: Sent = {}) => send(kit, '/api/posts', { token: kit.pat, workspaceId: kit.workspaceId, ...sent })
const session = (sent: Sent = {}) => posts({ token: kit.sessionToken, ...sent })
/** A call on a way in: with a link that is unknown it is a 400, once it is let in. */
const wayIn = (sent: Sent = {}) => send(kit, '/api/auth/verify-email?token=none', sent)
const waitRetryAfter = (answer: { headers: Headers }) =>
  kit.clock.pass(Number(answer.headers.get('Retry-After')) * secondMs)
const counters = async () => (await scanTable(kit)).filter(({ type }) => type === 'Count')

test('100 of 130 concurrent requests pass, and the others get exactly the specified response', async () => {
  const { answers, statuses } = await tally(130, () => posts())
  expect(statuses).toEqual({ 200: 100, 429: 30 })
  for (const { headers, body } of answers.filter(({ status }) => status === 429)) {
    expect(body).toEqual({
      success: false,
      error: 'Rate limit exceeded',
      code: 'rate_limited',
      requestId: headers.get('X-Request-Id'),
      docUrl: `${kit.url}/api/docs/errors/rate_limited`,
    })
    expect(Object.fromEntries(headers)).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(kit.clock.now() / secondMs + 60),
      'ratelimit-policy': '"general";q=100;w=60',
      ratelimit: '"general";r=0;t=1',
    })
  }
})

test('20 of 60 concurrent requests to a sign-in route pass', async () => {
  expect((await tally(60, () => wayIn())).statuses).toEqual({ 400: 20, 429: 40 })
})

test('allows a request at Retry-After and not a millisecond earlier, and rejected requests cost nothing', async () => {
  await tally(20, () => wayIn())
  const refused = await wayIn()
  expect(refused.headers.get('Retry-After')).toBe('45')
  kit.clock.pass(45 * secondMs - 1)
  const { answers, statuses } = await tally(50, () => wayIn())
  expect(statuses).toEqual({ 429: 50 })
  expect(new Set(answers.map(({ headers }) => headers.get('Retry-After')))).toEqual(new Set(['1']))
  kit.clock.pass(1)
  expect((await tally(50, () => wayIn())).statuses).toEqual({ 400: 1, 429: 49 })
})

test('the limit does not reset at a minute boundary', async () => {
  kit.clock.pass(minuteMs - (kit.clock.now() % minuteMs) - 100)
  expect((await tally(100, () => posts())).statuses).toEqual({ 200: 100 })
  kit.clock.pass(200)
  expect((await tally(30, () => posts())).statuses).toEqual({ 429: 30 })
})

test('the tokens of one person share one limit', async () => {
  const { statuses } = await tally(120, (n) => (n % 2 === 0 ? posts() : session()))
  expect(statuses).toEqual({ 200: 100, 429: 20 })
})

test('every response after the check has rate limit headers, and the remaining count drops by one', async () => {
  const calls: [number, Sent, string][] = [
    [200, {}, '/api/posts'],
    [400, {}, '/api/posts?limit=none'],
    [403, { workspaceId: 'ws_none' }, '/api/posts'],
    [404, {}, '/api/posts/none'],
    [403, {}, '/api/cli/tokens'],
  ]
  for (const [n, [status, sent, path]] of calls.entries()) {
    const answer = await send(kit, path, { token: kit.pat, workspaceId: kit.workspaceId, ...sent })
    expect([answer.status, answer.headers.get('X-RateLimit-Remaining')], path).toEqual([status, String(99 - n)])
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('100')
    // 0.6 s for each call so far.
    expect(answer.headers.get('X-RateLimit-Reset')).toBe(String(Math.ceil(kit.clock.now() / secondMs + 0.6 * (n + 1))))
    expect(answer.headers.get('RateLimit')).toBe(`"general";r=${99 - n};t=${Math.ceil(0.6 * (n + 1))}`)
  }
})

test('free routes are not counted', async () => {
  recorder.effects.length = 0
  for (const path of ['/api/health', '/api/docs', '/api/openapi.json']) {
    const { status, headers } = await send(kit, path)
    expect([status, headers.get('X-RateLimit-Limit')]).toEqual([200, null])
  }
  expect(recorder.effects).toEqual([])
})

test('requests without a valid token are counted by address before they get a 401', async () => {
  const { answers, statuses } = await tally(120, (n) => posts({ token: n % 2 === 0 ? 'none' : 'svc_pat_forged' }))
  expect(statuses).toEqual({ 401: 100, 429: 20 })
  const remaining = answers.flatMap(({ status, headers }) =>
    status === 401 ? [Number(headers.get('X-RateLimit-Remaining'))] : [],
  )
  expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  // The person at that address with a valid token is another user.
  expect((await posts()).headers.get('X-RateLimit-Remaining')).toBe('99')
})

test('an invalid token counts only against the address it comes from', async () => {
  const bad = await badTokens(kit)
  for (const token of [bad.revokedPat, bad.expiredSession]) {
    kit.clock.pass(30 * minuteMs)
    expect((await tally(110, () => posts({ token }))).statuses).toEqual({ 401: 100, 429: 10 })
    expect((await posts()).headers.get('X-RateLimit-Remaining')).toBe('99')
  }
})

test('no header and no spelling of a path changes the counted caller', async () => {
  await tally(20, () => wayIn())
  const names = ['X-Forwarded-For', 'x-forwarded-for', 'X-Real-IP', 'Forwarded', 'True-Client-IP', 'CF-Connecting-IP']
  for (const [n, name] of names.entries()) {
    const address = `203.0.113.${n}`
    const answer = await wayIn({ headers: { [name]: name === 'Forwarded' ? `for=${address}` : address } })
    expect(answer.status, name).toBe(429)
  }
  expect((await wayIn({ headers: { Authorization: `Bearer ${kit.pat}` } })).status).toBe(429)
  const ways = [
    '/api/auth/verify-email/',
    '//api/auth/verify-email',
    '/API/auth/verify-email',
    '/api/auth/./verify-email',
    '/api/auth/verify%2Demail',
    '/api/auth/verify-email;a=b',
  ]
  for (const way of ways) {
    const { status } = await send(kit, `${way}?token=none`)
    // Either the function is not reached, or the call is counted as any other.
    expect([404, 429], way).toContain(status)
  }
})

test('addresses of one IPv6 network share a limit; neighboring networks do not', async () => {
  expect((await tally(30, () => wayIn({ from: '127.0.0.8' }))).statuses).toEqual({ 400: 20, 429: 10 })
  expect((await wayIn({ from: '127.0.0.9' })).status).toBe(400)
  const at = (address: string) => callFrom(kit, 'auth.verifyEmail', address)
  const first = await Promise.all(Array.from({ length: 20 }, (_, n) => at(`2001:db8:0:7::${n + 1}`)))
  expect(new Set(first)).toEqual(new Set([400]))
  expect(await at('2001:db8:0:7:ffff:ffff:ffff:ffff')).toBe(429)
  expect(await at('2001:0DB8:0000:0007:0::abcd')).toBe(429)
  expect(await at('2001:db8:0:8::1')).toBe(400)
  expect(await at('2001:db8:0:6:ffff:ffff:ffff:ffff')).toBe(400)
})

test('when requests cannot be counted, sign-in routes are closed and others continue with a limit per environment', async () => {
  failing = counts
  const closed = await wayIn()
  expect([closed.status, closed.body]).toMatchObject([503, { success: false, code: 'unavailable' }])
  expect(closed.headers.get('Retry-After')).toBe('5')
  expect((await tally(110, () => posts())).statuses).toEqual({ 200: 100, 429: 10 })
  const lines = kit.logged.map((line) => JSON.parse(line)).filter(({ message }) => message === 'calls are not counted')
  expect(new Set(lines.map(({ level, limit }) => `${level} ${limit}`))).toEqual(
    new Set(['error auth', 'error general']),
  )
})

test('error responses after the check and pages have rate limit headers too', async () => {
  failing = ({ action }) => action === 'Query'
  const broken = await posts()
  expect([broken.status, broken.headers.get('X-RateLimit-Remaining')]).toEqual([500, '99'])
  const page = await send(kit, '/api/social-accounts/connect/discord/callback')
  expect([page.status, page.headers.get('X-RateLimit-Remaining')]).toEqual([200, '99'])
  expect(page.headers.get('Content-Type')).toContain('text/html')
})

test('a request costs one write in addition to the read; a certain rejection costs none', async () => {
  await posts()
  kit.clock.pass(minuteMs)
  const writes = () => recorder.effects.splice(0).filter(counts).length
  writes()
  await posts()
  expect(writes()).toBe(1)
  await posts()
  expect(writes()).toBe(1)
  await tally(98, () => posts())
  writes()
  expect((await posts()).status).toBe(429)
  expect(writes()).toBe(0)
})

test('a 429 comes after a 401 and before all other errors', async () => {
  const { path } = routeOf('posts.schedule').endpoint.contract
  const { revokedPat } = await badTokens(kit)
  const status = async (sent: Sent) => (await send(kit, path, { method: 'POST', token: kit.pat, ...sent })).status
  expect([await status({}), await status({ workspaceId: 'ws_none' })]).toEqual([400, 403])
  await tally(100, () => posts())
  expect([await status({ token: 'none' }), await status({ token: revokedPat })]).toEqual([401, 401])
  // No workspace, another one, no scope, no body: all of it comes later.
  expect([await status({}), await status({ workspaceId: 'ws_none' })]).toEqual([429, 429])
})

test('every counted route rejects callers without remaining requests in the envelope, whatever else is wrong', async () => {
  await Promise.all([tally(100, () => posts()), tally(100, () => posts({ token: 'none' })), tally(20, () => wayIn())])
  await tally(30, () => send(kit, '/api/cli/auth/start', { method: 'POST' }))
  await tally(20, () => send(kit, '/api/ai/usage', { token: kit.sessionToken }))
  await tally(50, () => send(kit, '/api/billing/stripe-webhook', { method: 'POST' }))
  const counting = routes.filter(({ endpoint }) => limitNameOf(endpoint.contract) !== 'none')
  expect(counting.length).toBeGreaterThan(40)
  for (const { operation, endpoint } of counting) {
    const { method, path, access } = endpoint.contract
    const token = access.kind === 'anyone' ? {} : { token: kit.sessionToken }
    const { status, body, headers } = await send(kit, path.replace(/\{\w+\}/g, 'none'), { method, ...token })
    expect([status, body], operation).toEqual([
      429,
      expect.objectContaining({ success: false, error: 'Rate limit exceeded', code: 'rate_limited' }),
    ])
    expect(Number(headers.get('Retry-After')), operation).toBeGreaterThan(0)
    expect(headers.get('X-RateLimit-Remaining'), operation).toBe('0')
    expect(headers.get('Access-Control-Expose-Headers'), operation).toContain('RateLimit-Policy')
  }
})

test('counter rows expire by themselves and contain no address or user id in plain text', async () => {
  await Promise.all([posts(), wayIn(), posts({ token: 'none' })])
  const rows = await counters()
  expect(rows.map(({ PK }) => String(PK).split('#').slice(1, 3).join(' ')).sort()).toEqual(
    expect.arrayContaining(['auth ADDRESS', 'general ADDRESS', 'general USER']),
  )
  for (const row of rows) {
    expect(Object.keys(row).sort()).toEqual(['PK', 'SK', 'fullAtMicros', 'ttl', 'type'])
    // Removed soon after it is obsolete.
    expect(Number(row['ttl']) - Number(row['fullAtMicros']) / 1e6).toBeGreaterThan(0)
    expect(Number(row['ttl']) - kit.clock.now() / secondMs).toBeLessThan(3600)
    expect(JSON.stringify(row)).not.toMatch(/127\.0|example|@/)
  }
})

test('a rejected caller passes after the Retry-After seconds', async () => {
  await tally(100, () => posts())
  const refused = await posts()
  expect(refused.status).toBe(429)
  waitRetryAfter(refused)
  expect((await posts()).status).toBe(200)
})
