import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Route, routes } from '../../functions/routes.ts'
import { answersHead } from '../../shared/http/contract.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { makeActors } from '../support/world/actors.ts'
import { type Answer, type Call, callRoute } from '../support/world/ask.ts'
import { happyCall, uncalled } from '../support/world/happy-calls.ts'
import {
  type Expected,
  envelopeFaults,
  type Fixture,
  isCount,
  type Mutate,
  routesOf,
  violations,
} from '../support/world/law.ts'
import { makeRecorder } from '../support/world/recorder.ts'

const recorder = makeRecorder()
const goodCalls = new Map<Route, Call>()
let kit: Kit | undefined
let fixture: Fixture

beforeAll(async () => {
  kit = await start({ observe: recorder.observe })
  for (const route of routes) goodCalls.set(route, await happyCall(route, kit))
  const goodCall = (route: Route) => goodCalls.get(route) ?? {}
  fixture = { kit, actors: await makeActors(kit), goodCall, effects: recorder.effects }
}, 120_000)
afterAll(() => kit?.close())

const expectNoViolations = async (
  about: readonly Route[],
  mutate: Mutate,
  expected: Expected | ((route: Route) => Expected),
) => expect(await violations(fixture, everyNth(4, about), mutate, expected)).toEqual([])

const guarded = routesOf('person', 'workspace')
const inWorkspace = routesOf('workspace')
const accessOf = ({ endpoint }: Route) => endpoint.contract.access
const scopeOf = (route: Route) => {
  const access = accessOf(route)
  return access.kind === 'anyone' ? null : access.scope
}
const withScope = guarded.filter((route) => scopeOf(route) !== null)
const sessionOnly = guarded.filter((route) => scopeOf(route) === null)
const roleOf = (route: Route) => {
  const access = accessOf(route)
  return access.kind === 'workspace' ? access.role : 'member'
}
const forAdmins = inWorkspace.filter((route) => roleOf(route) !== 'member')
const forOwners = inWorkspace.filter((route) => roleOf(route) === 'owner')
const withBody = routes.filter(({ endpoint }) => endpoint.contract.body !== undefined)

const refusal = (status: number, code: string, more: Record<string, unknown> = {}): Expected => ({
  status,
  members: { code, ...more },
})

/** Without the members that are named. */
const without = (call: Call, ...names: readonly (keyof Call)[]): Call => {
  const rest = { ...call }
  for (const name of names) delete rest[name]
  return rest
}

/** The same call by the seed's session, which every route takes that takes anybody. */
const bySession = (call: Call): Call => (call.token === undefined ? call : { ...call, token: fixture.kit.sessionToken })

/** The same call in the workspace of the seed, where the actors have memberships. */
const here = (call: Call): Call =>
  call.workspaceId === undefined ? call : { ...call, workspaceId: fixture.kit.workspaceId }

test('every route has a request that succeeds', () => {
  expect(uncalled()).toEqual([])
})

describe('who calls', () => {
  test('without a token: 401', () =>
    expectNoViolations(guarded, (_, good) => without(good, 'token'), refusal(401, 'unauthenticated')))

  test.each([
    'garbage',
    'unknownPat',
    'unknownSession',
    'expiredPat',
    'expiredSession',
    'revokedPat',
  ] as const)('with an invalid token (%s): 401', (name) =>
    expectNoViolations(
      guarded,
      (_, good) => ({ ...good, token: fixture.actors.bad[name] }),
      refusal(401, 'unauthenticated'),
    ))

  test('with a token whose checksum is wrong: 401 without reading a row', async () => {
    await expectNoViolations(
      guarded,
      (_, good) => ({ ...good, token: fixture.actors.bad.wrongCheck }),
      refusal(401, 'unauthenticated'),
    )
    expect(recorder.effects.filter((effect) => effect.service === 'dynamodb' && !isCount(effect))).toEqual([])
  })

  test('with a token of every scope but the required one: 403', () =>
    expectNoViolations(
      withScope,
      (route, good) => ({ ...good, token: fixture.actors.scoped(scopeOf(route) ?? '').without }),
      refusal(403, 'insufficient_scope'),
    ))

  test('with a personal access token on a session-only route: 403', () =>
    expectNoViolations(
      sessionOnly,
      (_, good) => here({ ...good, token: fixture.kit.pat }),
      refusal(403, 'session_required'),
    ))
})

describe('in which workspace', () => {
  test('in none: 400', () =>
    expectNoViolations(
      inWorkspace,
      (_, good) => without(good, 'workspaceId'),
      refusal(400, 'workspace_required', { field: 'X-Workspace-Id' }),
    ))

  test('by the session of a non-member: 403', () =>
    expectNoViolations(
      inWorkspace,
      (_, good) => ({ ...good, token: fixture.actors.stranger.token }),
      refusal(403, 'not_a_member'),
    ))

  test('in one that does not exist: 403', () =>
    expectNoViolations(
      inWorkspace,
      (_, good) => ({ ...bySession(good), workspaceId: 'ws_none' }),
      refusal(403, 'not_a_member'),
    ))

  test('in another workspace of the same person than the token is bound to: 403', () =>
    expectNoViolations(
      inWorkspace,
      (_, good) => ({ ...good, token: fixture.kit.pat, workspaceId: fixture.actors.second.id }),
      refusal(403, 'not_a_member'),
    ))

  test.each(['session', 'pat'] as const)('by the %s of a suspended member: 403', (kind) =>
    expectNoViolations(
      inWorkspace,
      (_, good) => here({ ...good, token: fixture.actors.suspended[kind] }),
      refusal(403, 'membership_suspended'),
    ))

  test('by a member on a route for owners and admins: 403', () =>
    expectNoViolations(
      forAdmins,
      (_, good) => here({ ...good, token: fixture.actors.member.session }),
      refusal(403, 'insufficient_role'),
    ))

  test('by an admin on a route for the owner: 403', () =>
    expectNoViolations(
      forOwners,
      (_, good) => here({ ...good, token: fixture.actors.admin.session }),
      refusal(403, 'insufficient_role'),
    ))

  test('in another one than the path names: 403', () =>
    expectNoViolations(
      inWorkspace.filter(({ endpoint }) => endpoint.contract.path.startsWith('/api/workspaces/{id}')),
      (_, good) => ({ ...bySession(good), workspaceId: fixture.actors.second.id }),
      refusal(403, 'workspace_mismatch'),
    ))
})

describe('on which plan', () => {
  const needsPlan = (route: Route) => {
    const access = accessOf(route)
    return access.kind === 'workspace' && access.plan
  }

  test('without a plan where one is required: 402 with everything that the specification requires', () => {
    const { id, slug, subscription } = fixture.actors.unpaid
    return expectNoViolations(inWorkspace.filter(needsPlan), (_, good) => ({ ...bySession(good), workspaceId: id }), {
      status: 402,
      members: {
        success: false,
        error: subscription.accessMessage,
        code: 'subscription_required',
        httpStatus: 402,
        billingUrl: `${fixture.kit.url}/billing?workspace=${encodeURIComponent(slug)}`,
        subscriptionStatus: subscription.status,
        workspaceSlug: slug,
      },
    })
  })

  test('without a plan where none is required: as with one', () => {
    const { id: workspaceId, pat: token } = fixture.actors.unpaid
    return expectNoViolations(
      withScope.filter((route) => !needsPlan(route)),
      (_, good) => ({ ...good, token, workspaceId, params: { id: workspaceId } }),
      ({ endpoint }) => ({ status: endpoint.contract.status }),
    )
  })
})

describe('with which input', () => {
  test.each(['{"name":', 'name=Ann', '\u0000'])('with a body that is not JSON (%j): 400', (rawBody) =>
    expectNoViolations(
      withBody,
      (_, good) => ({ ...bySession(good), rawBody }),
      refusal(400, 'invalid_json', { field: 'body' }),
    ))

  test('with an empty body where one is required: 400', () =>
    expectNoViolations(
      withBody.filter(({ endpoint }) => !endpoint.contract.bodyOptional),
      (_, good) => without(bySession(good), 'body'),
      refusal(400, 'body_required', { field: 'body' }),
    ))

  test.each([null, 'text/plain', 'application/jsonp'])('with JSON under the content type %s: 400', (contentType) =>
    expectNoViolations(
      withBody,
      (_, good) => ({ ...bySession(good), contentType }),
      refusal(400, 'unsupported_content_type', { field: 'Content-Type' }),
    ))

  // The voice settings take null: it clears them.
  const takesNull = (route: Route) => route.operation === 'workspaces.updateVoice'

  test.each(['[]', 'null', '"text"'])('with the body %s instead of an object: 400', (rawBody) =>
    expectNoViolations(
      withBody.filter((route) => rawBody !== 'null' || !takesNull(route)),
      (_, good) => ({ ...bySession(good), rawBody }),
      refusal(400, 'invalid_input', { field: 'body' }),
    ))

  test('with an unknown field: 400 that names it', () =>
    expectNoViolations(
      withBody,
      (_, good) => ({ ...bySession(good), body: Object.assign({ unheardOf: 1 }, good.body) }),
      refusal(400, 'invalid_input', {
        field: 'unheardOf',
        error: '"unheardOf" is not a known field. Remove it.',
      }),
    ))

  test('with an unknown parameter: 400 that names it', () =>
    expectNoViolations(
      // Discord may send more than we read.
      routes.filter(({ operation }) => !/^socialAccounts\..*callback$/i.test(operation)),
      (_, good) => ({ ...bySession(good), query: { ...good.query, unheardOf: '1' } }),
      refusal(400, 'invalid_input', { field: 'unheardOf' }),
    ))

  test.each([
    'with',
    'without',
  ] as const)('with one byte more than it takes, 1 MiB unless it says so, %s a token: 413', (token) =>
    expectNoViolations(
      // A GET carries no body.
      routes.filter(({ endpoint }) => endpoint.contract.method !== 'GET'),
      ({ endpoint }, good) => ({
        ...(token === 'with' ? bySession(good) : without(good, 'token')),
        rawBody: ' '.repeat((endpoint.contract.largeBody?.maxBytes ?? 1024 * 1024) + 1),
      }),
      { status: 413 },
    ))
})

const dataFaults = ({ endpoint }: Route, answer: Answer): string[] => {
  const { data: shape } = endpoint.contract
  if (shape === undefined) return []
  const parsed = z.safeParse(shape, answer.body?.['data'])
  if (!parsed.success) return [`answers data of another shape: ${z.prettifyError(parsed.error)}`]
  // What the shape does not know is not in what it makes of the answer.
  return isDeepStrictEqual(answer.body?.['data'], parsed.data) ? [] : [`answers more than its shape: ${answer.text}`]
}

// API Gateway answers these by itself.
test('with a method that the path does not support: 405 with the supported ones', async () => {
  for (const route of routes) {
    const { path } = route.endpoint.contract
    const methods = routes
      .filter((candidate) => candidate.endpoint.contract.path === path)
      .flatMap(({ endpoint: { contract } }) => [contract.method, ...(answersHead(contract) ? ['HEAD'] : [])])
    const answer = await callRoute(fixture.kit.url, route, { method: 'PUT', params: { id: 'any' } })
    expect([answer.status, answer.body?.['code']], route.operation).toEqual([405, 'method_not_allowed'])
    expect(envelopeFaults(answer), route.operation).toEqual([])
    expect(answer.headers.get('X-Request-Id'), route.operation).toMatch(/./)
    const allowed = answer.headers.get('Allow')?.split(', ') ?? []
    expect(allowed.sort(), route.operation).toEqual([...methods, 'OPTIONS'].sort())
  }
})

test('a request without an id, or with one that is invalid, gets a new id', async () => {
  for (const route of guarded) {
    for (const headers of [{}, { 'X-Request-Id': 'a b' }, { 'X-Request-Id': 'x'.repeat(129) }]) {
      const answer = await callRoute(fixture.kit.url, route, { headers, withoutRequestId: true })
      expect(answer.headers.get('X-Request-Id'), route.operation).toMatch(/^[\w-]{15}=$/)
    }
  }
})

test("every successful response has the route's status and exactly its schema", async () => {
  const lines: string[] = []
  for (const route of routes) {
    const good = fixture.goodCall(route)
    const scope = scopeOf(route)
    // One scope is enough.
    const call = scope === null ? good : { ...good, token: fixture.actors.scoped(scope).only }
    const requestId = `good-${route.name}`
    const answer = await callRoute(fixture.kit.url, route, {
      ...call,
      headers: { ...call.headers, 'X-Request-Id': requestId },
    })
    const { status, data } = route.endpoint.contract
    if (answer.status !== status) {
      lines.push(`${route.operation} answers ${answer.status}: ${answer.text.slice(0, 300)}`)
      continue
    }
    const raw = data === undefined
    const faults = raw ? [] : [...envelopeFaults(answer), ...dataFaults(route, answer)]
    const echo = answer.headers.get('X-Request-Id')
    if (echo !== requestId) faults.push(`answers the X-Request-Id ${echo}`)
    lines.push(...faults.map((fault) => `${route.operation} ${fault}`))
  }
  expect(lines).toEqual([])
})
