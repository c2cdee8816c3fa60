import { expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { limitNameOf } from '../../shared/access/rate-limit.ts'
import { makeContext } from '../../shared/context.ts'
import { limitByPath, limitOf, specifiedLimits } from '../../shared/limits/limits.ts'

test('the limits are those of the specification where nobody sets others', () => {
  expect(specifiedLimits).toEqual({
    general: { calls: 100, perSeconds: 60 },
    auth: { calls: 20, perSeconds: 15 * 60 },
    cli: { calls: 30, perSeconds: 15 * 60 },
    ai: { calls: 20, perSeconds: 60 },
  })
})

test.each([
  ['POST', '/api/auth/sign-in/email', 'auth'],
  ['GET', '/api/auth/get-session', 'auth'],
  ['POST', '/api/cli/auth/poll', 'cli'],
  ['POST', '/api/cli/tokens', 'general'],
  ['POST', '/api/ai/chat', 'ai'],
  ['GET', '/api/posts', 'general'],
  ['GET', '/api/authors', 'general'],
  ['POST', '/login', 'auth'],
  ['GET', '/login', 'general'],
])('%s %s counts against %s', (method, path, name) => expect(limitByPath(method, path)).toBe(name))

test('every route counts, but for those that touch nothing, and health, which reads once a second at most', () => {
  const free = routes.filter(({ endpoint }) => limitNameOf(endpoint.contract) === 'none')
  expect(free.map(({ operation }) => operation)).toEqual([
    'meta.docs',
    'meta.docsViewer',
    'meta.health',
    'meta.openapi',
    'platforms.list',
  ])
  const needed = free.flatMap(({ operation, endpoint }) =>
    endpoint.contract.needs.filter((need) => need !== 'files').map((need) => `${operation} ${need}`),
  )
  expect(needed).toEqual(['meta.health table:read'])
})

test('an operator sets limits one by one, and lifts one with null', () => {
  const ctx = makeContext({ RATE_LIMITS: JSON.stringify({ general: { calls: 7, perSeconds: 1 }, ai: null }) })
  expect(limitOf(ctx, 'general')).toEqual({ calls: 7, perSeconds: 1 })
  expect(limitOf(ctx, 'ai')).toBeNull()
  expect(limitOf(ctx, 'auth')).toEqual(specifiedLimits.auth)
})

test.each([
  { general: { calls: 0, perSeconds: 60 } },
  { general: { calls: 1.5, perSeconds: 60 } },
  { general: { calls: 100 } },
  { general: { calls: 100, perSeconds: 60, burst: 5 } },
  { everything: { calls: 100, perSeconds: 60 } },
])('a limit that makes no sense (%j) is refused', (limits) => {
  const ctx = makeContext({ RATE_LIMITS: JSON.stringify(limits) })
  expect(() => limitOf(ctx, 'general')).toThrow()
})
