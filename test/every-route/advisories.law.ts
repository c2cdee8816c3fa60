import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Route, routes } from '../../functions/routes.ts'
import { openSession } from '../../shared/identity/open-session.ts'
import { random62 } from '../../shared/ids.ts'
import { type Kit, start } from '../support/start.ts'
import { type Call, callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { inLanes } from '../support/world/lanes.ts'
import { routesOf } from '../support/world/law.ts'
import { installBot, makePerson } from '../support/world/preparations.ts'
import { uncounted } from '../support/world/uncounted.ts'
import { openWire, type Wire } from '../support/world/wire.ts'

// What others' services were broken by (reference, advisory list), as far as no other test is about it.

let kit: Kit
let wire: Wire
const goodCalls = new Map<Route, Call>()

beforeAll(async () => {
  kit = await start({ rateLimits: uncounted })
  wire = openWire(kit.url)
  for (const route of routes) goodCalls.set(route, await happyCall(route, kit))
}, 240_000)
afterAll(async () => {
  wire.close()
  await kit.close()
})

const goodCall = (route: Route): Call => goodCalls.get(route) ?? {}

/** Headers by which a proxy reports the caller to servers behind it; to us they are plain text. */
const claims = ({ user, sessionToken, pat }: Kit) => ({
  'X-User-Id': user.id,
  'X-Forwarded-User': user.id,
  'X-Forwarded-Email': user.email,
  'X-Authenticated-Userid': user.id,
  'X-Amzn-Oidc-Identity': user.id,
  'X-Api-Key': pat,
  'X-Access-Token': sessionToken,
  Cookie: `svc_session=${sessionToken}; token=${sessionToken}`,
})

const guarded = routesOf('person', 'workspace')

test('a request without a token has no identity, whatever its headers say', async () => {
  const lines = await inLanes(guarded, 8, async (route) => {
    const { token: _, ...good } = goodCall(route)
    const { status, body } = await callRoute(kit.url, route, { ...good, headers: { ...good.headers, ...claims(kit) } })
    return status === 401 && body?.['code'] === 'unauthenticated' ? [] : [`${route.operation} answers ${status}`]
  })
  expect(lines.flat()).toEqual([])
})

test('a request with a token acts as the person of the token, whatever its headers say', async () => {
  const reading = guarded.filter(({ endpoint }) => endpoint.contract.method === 'GET')
  const userId = random62(12)
  const { token } = await openSession(kit.ctx, { userId, email: 's@mail.test', name: 'Sam', userAgent: 'test' })
  const lines = await inLanes(reading, 8, async (route) => {
    const call = { ...goodCall(route), token }
    const [plain, claiming] = [
      await callRoute(kit.url, route, call),
      await callRoute(kit.url, route, { ...call, headers: { ...call.headers, ...claims(kit) } }),
    ]
    const namesSeed = claiming.text.includes(kit.user.id) || claiming.text.includes(kit.user.email)
    return claiming.text === plain.text && !namesSeed ? [] : [`${route.operation}: ${claiming.text} / ${plain.text}`]
  })
  expect(lines.flat()).toEqual([])
})

test('new objects belong to the person of the token, and no field can name someone else', async () => {
  const person = await makePerson(kit)
  const users = ['userId', 'ownerId', 'user', 'createdBy']
  const making = guarded.filter(({ endpoint }) => endpoint.contract.body !== undefined)
  const lines = await inLanes(making, 8, async (route) => {
    const { body } = goodCall(route)
    // Where a member is what the route is about, it is known.
    const unknown = users.filter((name) => typeof body === 'object' && body !== null && !(name in body))
    const answers = await Promise.all(
      unknown.map((name) =>
        callRoute(kit.url, route, { ...goodCall(route), body: Object.assign({}, body, { [name]: person.email }) }),
      ),
    )
    return answers.filter(({ status }) => status !== 400).map(({ text }) => `${route.operation}: ${text}`)
  })
  expect(lines.flat()).toEqual([])
})

const elsewhere = 'elsewhere.invalid'
const spoofed = {
  Host: elsewhere,
  'X-Forwarded-Host': elsewhere,
  'X-Forwarded-Proto': 'https',
  'X-Original-Host': elsewhere,
  Forwarded: `host=${elsewhere};proto=https`,
  Origin: `https://${elsewhere}`,
  Referer: `https://${elsewhere}/`,
}

const sentFor = (route: Route, { token, workspaceId, params = {}, query = {}, body, rawBody, headers }: Call) => {
  const { method, path } = route.endpoint.contract
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return {
    method,
    path: `${filled}?${new URLSearchParams(query)}`,
    headers: {
      ...spoofed,
      ...headers,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(workspaceId === undefined ? {} : { 'X-Workspace-Id': workspaceId }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(rawBody === undefined ? {} : { body: rawBody }),
  }
}

const isElsewhere = (headers: Headers, text: string) =>
  JSON.stringify([...headers]).includes(elsewhere) || text.includes(elsewhere)

test('links use the configured address and ignore the Host header', async () => {
  const mailsBefore = kit.mail.outbox().length
  const lines = await inLanes(routes, 4, async (route) => {
    const { status, headers, text } = await wire.send(sentFor(route, goodCall(route)))
    const isGood = status === route.endpoint.contract.status
    return isGood && !isElsewhere(headers, text) ? [] : [`${route.operation} answers ${status}: ${text.slice(0, 300)}`]
  })
  expect(lines.flat()).toEqual([])
  const mails = kit.mail.outbox().slice(mailsBefore)
  expect(mails.length).toBeGreaterThan(3)
  expect(mails.filter(({ text, html }) => `${text}${html}`.includes(elsewhere))).toEqual([])
  expect(mails.some(({ text }) => text.includes(`${kit.url}/verify-email`))).toBe(true)
})

test('an OAuth state works once, even when it is used eight times concurrently', async () => {
  const { query, headers } = await installBot(kit)
  const path = `/api/social-accounts/connect/discord/callback?${new URLSearchParams(query)}`
  const pages = await Promise.all(Array.from({ length: 8 }, () => wire.send({ method: 'GET', path, headers })))
  expect(pages.filter(({ text }) => /is connected to/.test(text)).length).toBe(1)
  expect(pages.filter(({ text }) => /has expired or was already used/.test(text)).length).toBe(7)
})
