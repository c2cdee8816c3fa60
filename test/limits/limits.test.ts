import { expect, test } from 'vitest'
import { everyRoute, routes } from '../../functions/routes.ts'
import { limitNameOf } from '../../shared/access/rate-limit.ts'
import { makeContext } from '../../shared/context.ts'
import { limitOf, specifiedLimits } from '../../shared/limits/limits.ts'

test('the default limits are those of the specification', () => {
  expect(specifiedLimits).toEqual({
    general: { calls: 100, perSeconds: 60 },
    auth: { calls: 20, perSeconds: 15 * 60 },
    cli: { calls: 30, perSeconds: 15 * 60 },
    ai: { calls: 20, perSeconds: 60 },
    // Not in the specification: events of the payment provider.
    provider: { calls: 1_000, perSeconds: 60 },
    // Not in the specification: all calls of an application.
    application: { calls: 6_000, perSeconds: 60 },
  })
})

test('sign-in routes count against the sign-in limit', () => {
  const counted = everyRoute.map(({ endpoint: { contract } }) => ({ ...contract, name: limitNameOf(contract) }))
  const pathsOf = (name: string) => counted.filter((call) => call.name === name).map(({ path }) => path)
  const below = (prefix: string) => counted.map(({ path }) => path).filter((path) => path.startsWith(prefix))
  expect(pathsOf('cli')).toEqual([...below('/api/cli/auth/'), '/api/oauth/register'])
  expect(pathsOf('auth').filter((path) => path.startsWith('/api/'))).toEqual(below('/api/auth/'))
  const forms = counted.filter(({ method, path }) => method === 'POST' && !path.startsWith('/api/'))
  expect(forms.filter(({ name }) => name !== 'auth').map(({ path }) => path)).toEqual([
    '/workspace-assistants',
    '/billing',
    '/notifications',
    '/connect-accounts',
    '/workspace-connect',
    '/workspace-token',
    '/workspaces',
  ])
  expect(below('/api/auth/').length + below('/api/cli/auth/').length).toBeGreaterThan(15)
})

test('every route counts except static ones and health, which reads at most once a second', () => {
  const free = routes.filter(({ endpoint }) => limitNameOf(endpoint.contract) === 'none')
  expect(free.map(({ operation }) => operation)).toEqual([
    'meta.docs',
    'meta.docsViewer',
    'meta.errorCode',
    'meta.guide',
    'meta.health',
    'meta.llms',
    'meta.llmsFull',
    'meta.openapi',
    'platforms.list',
  ])
  const needed = free.flatMap(({ operation, endpoint }) =>
    endpoint.contract.needs.filter((need) => need !== 'files').map((need) => `${operation} ${need}`),
  )
  expect(needed).toEqual(['meta.health table:read'])
})

test('an operator sets individual limits and removes one with null', () => {
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
])('rejects an invalid limit (%j)', (limits) => {
  const ctx = makeContext({ RATE_LIMITS: JSON.stringify(limits) })
  expect(() => limitOf(ctx, 'general')).toThrow()
})
