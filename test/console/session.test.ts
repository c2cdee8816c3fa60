import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describedRoutes, type Route } from '../../functions/routes.ts'
import { type Kit, start } from '../support/start.ts'
import { makeSignedIn } from '../support/world/preparations.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const fromConsole = { 'Sec-Fetch-Site': 'same-origin', 'X-Requested-With': 'console' }

type Headers = Readonly<Record<string, string>>

const send = (method: string, path: string, headers: Headers, body = '{}') =>
  fetch(`${kit.url}${path}`, {
    method,
    headers: {
      Cookie: `svc_session=${kit.sessionToken}`,
      'X-Workspace-Id': kit.workspaceId,
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(method === 'GET' ? {} : { body }),
  })

const pathOf = ({ endpoint: { contract } }: Route) => contract.path.replace(/\{\w+\}/g, 'none')
const needsToken = describedRoutes.filter(({ endpoint }) => endpoint.contract.access.kind !== 'anyone')

test('the console reads and writes with the session of its cookie', async () => {
  const read = await send('GET', '/api/workspaces', fromConsole)
  expect([read.status, await read.json()]).toMatchObject([200, { data: [{ id: kit.workspaceId }] }])
  const written = await send('POST', '/api/drafts', fromConsole, JSON.stringify({ content: 'From the console' }))
  expect(written.status).toBe(201)
})

test('every route that needs a token refuses the cookie in a request of another site', async () => {
  expect(needsToken.length).toBeGreaterThan(80)
  for (const route of needsToken) {
    const { method, path } = route.endpoint.contract
    const { status } = await send(method, pathOf(route), { ...fromConsole, 'Sec-Fetch-Site': 'cross-site' })
    expect(status, `${method} ${path}`).toBe(401)
  }
})

test.each<[string, Headers]>([
  ['of another host of the same site', { ...fromConsole, 'Sec-Fetch-Site': 'same-site' }],
  ['from the address bar', { ...fromConsole, 'Sec-Fetch-Site': 'none' }],
  ['of a form of the same host', { 'Sec-Fetch-Site': 'same-origin' }],
  ['of a browser that does not say where it comes from', { 'X-Requested-With': 'console' }],
  ['of another script', { ...fromConsole, 'X-Requested-With': 'XMLHttpRequest' }],
])('the cookie is refused in a request %s', async (_title, headers) => {
  expect((await send('POST', '/api/drafts', headers)).status).toBe(401)
})

test('a cookie that holds no session is refused, and a header wins over the cookie', async () => {
  for (const token of [kit.pat, 'svc_ses_forged', '']) {
    const { status } = await send('GET', '/api/workspaces', { ...fromConsole, Cookie: `svc_session=${token}` })
    expect(status, token.slice(0, 8)).toBe(401)
  }
  const { status } = await send('GET', '/api/workspaces', { ...fromConsole, Authorization: 'Bearer nonsense' })
  expect(status).toBe(401)
})

test('signing out ends the console as well', async () => {
  const { token } = await makeSignedIn(kit)
  const headers = { ...fromConsole, Cookie: `svc_session=${token}` }
  expect((await send('POST', '/api/auth/sign-out', headers)).status).toBe(200)
  expect((await send('GET', '/api/workspaces', headers)).status).toBe(401)
})

test('no preflight lets another site send the header of the console', async () => {
  const { headers } = await fetch(`${kit.url}/api/drafts`, { method: 'OPTIONS' })
  expect(headers.get('access-control-allow-headers')).not.toMatch(/x-requested-with/i)
  expect(headers.get('access-control-allow-credentials')).toBeNull()
})

test('its files are those of the same host, under a strict policy, and have at most 90 kB gzipped', async () => {
  const page = await send('GET', '/console', {})
  const policy = page.headers.get('content-security-policy') ?? ''
  const bucket = kit.service.mediaUrl
  expect(policy).toContain(`default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ${bucket}; `)
  expect(policy).not.toContain('unsafe')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const html = await page.text()
  const names = [...html.matchAll(/(?:href|src)="(console\.\w+\?v=\w{16})"/g)].map(([, name]) => name)
  expect(names.map((name) => name?.split('?')[0])).toEqual(['console.svg', 'console.css', 'console.js'])
  let bytes = 0
  for (const name of names) {
    const file = await fetch(`${kit.url}/${name}`)
    expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    bytes += gzipSync(await file.text(), { level: 9 }).length
  }
  expect(bytes).toBeLessThanOrEqual(90_000)
})

test('who has not signed in is led there, and from there to the console', async () => {
  const { status, headers } = await fetch(`${kit.url}/console`, { redirect: 'manual' })
  expect([status, headers.get('Location')]).toEqual([303, 'login?return=%2Fconsole'])
})

test.each([
  'console.js',
  'console-plot.js',
  'console.css',
  'console.svg',
])('no browser keeps %s under the version of another release, or without one', async (name) => {
  for (const version of ['', '?v=', '?v=0123456789abcdef']) {
    const { status, headers } = await fetch(`${kit.url}/${name}${version}`)
    expect([status, headers.get('cache-control')], version).toEqual([200, 'no-cache'])
  }
})
