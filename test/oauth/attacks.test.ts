import { request as requestHttp } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import type { Context } from '../../shared/context.ts'
import { update } from '../../shared/db/table.ts'
import { verifyAssistant } from '../../shared/oauth/verify.ts'
import { members } from '../../shared/workspaces/workspace.ts'
import { browserOf } from '../pages/test-browser.ts'
import { type Kit, start } from '../support/start.ts'
import { makeMember } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'
import { addressIn, connected, consent, redirectUri, refreshed, registered, requestOf, tokenCall } from './assistant.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const isValid = async (token: unknown) => (await verifyAssistant(kit.ctx, String(token), '/api/mcp')).ok

const codeOf = async (change: Record<string, string | undefined> = {}) => {
  const assistant = await registered(kit)
  const request = await requestOf(kit, assistant, change)
  const { back } = await consent(kit, request.path)
  return { assistant, request, code: back?.searchParams.get('code') ?? '' }
}

const spend = (code: string, clientId: string, verifier: string, more: Record<string, string> = {}) =>
  tokenCall(kit, {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...more,
  })

test('a code that is used twice ends the connection', async () => {
  const { client, request, back, tokens } = await connected(kit)
  expect(await isValid(tokens.access_token)).toBe(true)
  const replay = await spend(back.searchParams.get('code') ?? '', client.client_id, request.verifier)
  expect([replay.status, replay.body['error']]).toEqual([400, 'invalid_grant'])
  expect(await isValid(tokens.access_token)).toBe(false)
})

test('a code that is spent by two concurrent requests yields nothing that lasts', async () => {
  const { assistant, request, code } = await codeOf()
  const both = await Promise.all([1, 2].map(() => spend(code, assistant.client.client_id, request.verifier)))
  expect(both.filter(({ status }) => status === 200).length).toBeLessThan(2)
  for (const { body } of both) expect(await isValid(body['access_token'])).toBe(false)
})

test('a code needs its client, its redirect URI, its verifier, and its resource, within 60 seconds', async () => {
  const { assistant, request, code } = await codeOf()
  const { client_id: id } = assistant.client
  const other = await registered(kit)
  const answers = [
    await spend(code, other.client.client_id, request.verifier),
    await spend(code, id, request.verifier, { redirect_uri: 'http://127.0.0.1:9/callback' }),
    await spend(code, id, 'a'.repeat(43)),
    await spend(code, id, request.verifier, { resource: 'https://other.example/api/mcp' }),
    await spend(code, id, request.verifier, { grant_type: 'password' }),
  ]
  expect(answers.map(({ body }) => body['error'])).toEqual([
    ...['invalid_grant', 'invalid_grant', 'invalid_grant'],
    ...['invalid_target', 'unsupported_grant_type'],
  ])
  kit.clock.pass(60_000)
  expect((await spend(code, id, request.verifier)).body['error']).toBe('invalid_grant')
})

test.each([
  ['plain PKCE', { code_challenge_method: 'plain' }],
  ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
  ['a method that is left out', { code_challenge_method: undefined }],
  ['a foreign resource', { resource: 'https://other.example/api/mcp' }],
  ['an unknown scope', { scope: 'posts:read everything' }],
  ['the implicit grant', { response_type: 'token' }],
])('%s leads nowhere by itself, and grants nothing', async (_, change) => {
  const { path } = await requestOf(kit, await registered(kit), change)
  const page = await browserOf(kit, kit.sessionToken).open(path)
  expect(page.heading).toBe('Couldn’t connect the assistant')
  expect(page.text).not.toContain('http-equiv')
  const back = addressIn(page)
  expect(back?.searchParams.get('error')).toMatch(/^(invalid_\w+|unsupported_response_type)$/)
  expect(back?.searchParams.get('iss')).toBe(kit.url)
})

test.each([
  'https://evil.example/callback',
  'http://127.0.0.1.evil.example:4321/callback',
  'http://127.0.0.1:4321/callback/../other',
  'http://127.0.0.1:4321/callback?next=https://evil.example',
  'http://127.0.0.1:4321@evil.example/callback',
  'http://localhost:4321/callback',
  'javascript:alert(1)',
])('a redirect URI that is not registered is never linked (%s)', async (uri) => {
  const { path } = await requestOf(kit, await registered(kit), { redirect_uri: uri })
  const page = await browserOf(kit, kit.sessionToken).open(path)
  expect([page.status, page.heading, addressIn(page)]).toEqual([400, 'Something went wrong', undefined])
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'http://evil.example/callback',
  'https://user:password@evil.example/',
  'https://evil.example/#fragment',
  'https://evil.example\\@good.example/',
])('%s cannot be registered', async (uri) => {
  const answer = await fetch(`${kit.url}/api/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({ redirect_uris: [uri] }),
  })
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_redirect_uri' }])
})

test.each([
  'http://169.254.169.254/client.json',
  'https://169.254.169.254/client.json',
  'https://127.0.0.1/client.json',
  'https://[::1]/client.json',
  'https://localhost/client.json',
  'https://a.example/client.json#x',
  'https://user@a.example/client.json',
])('no metadata document is fetched from %s', async (id) => {
  const { path } = await requestOf(kit, await registered(kit), { client_id: id })
  const page = await browserOf(kit, kit.sessionToken).open(path)
  expect([page.status, page.heading]).toEqual([400, 'Something went wrong'])
})

test('a refresh token that was just used yields another pair, and ends the connection later', async () => {
  const assistant = await connected(kit)
  const again = await Promise.all([1, 2, 3].map(() => refreshed(kit, assistant, assistant.refreshToken)))
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200])
  for (const { body } of again) expect(await isValid(body['access_token'])).toBe(true)
  const other = await registered(kit)
  expect((await refreshed(kit, other, String(again[0]?.body['refresh_token']))).body['error']).toBe('invalid_grant')
  kit.clock.pass(31_000)
  const reused = await refreshed(kit, assistant, assistant.refreshToken)
  expect([reused.status, reused.body['error']]).toEqual([400, 'invalid_grant'])
  for (const { body } of again) expect(await isValid(body['access_token'])).toBe(false)
})

test('tokens of the API and of assistants are not taken for each other', async () => {
  const { tokens, refreshToken } = await connected(kit)
  for (const token of [kit.pat, kit.sessionToken, refreshToken, 'svc_oat_x']) expect(await isValid(token)).toBe(false)
  const response = await fetch(`${kit.url}/api/posts`, {
    headers: { Authorization: `Bearer ${tokens.access_token}`, 'X-Workspace-Id': kit.workspaceId },
  })
  expect(response.status).toBe(401)
})

test('suspension, the switch of the owner, and expiry end access at the next call', async () => {
  const { tokens } = await connected(kit)
  const verify = () => verifyAssistant(kit.ctx, String(tokens.access_token), '/api/mcp')
  const member = members.key({ workspaceId: kit.workspaceId, userId: kit.user.id })
  await update(kit.ctx, member, { set: { status: 'suspended' } })
  expect(await verify()).toMatchObject({ refusal: { reason: 'membership_suspended' } })
  await update(kit.ctx, member, { set: { status: 'active' } })
  const change = { params: { id: kit.workspaceId }, body: { assistantsEnabled: false } }
  const byAdmin = client({
    baseUrl: kit.url,
    token: (await makeMember(kit, 'admin')).session,
    workspaceId: kit.workspaceId,
  })
  await expect(byAdmin.workspaces.update(change)).rejects.toThrow('Only the owner of the workspace can do this.')
  expect(await verify()).toMatchObject({ ok: true })
  await kit.sessionApi.workspaces.update(change)
  expect(await verify()).toMatchObject({ refusal: { reason: 'assistants_disabled' } })
  await kit.sessionApi.workspaces.update({ ...change, body: { assistantsEnabled: true } })
  expect(await verify()).toMatchObject({ ok: true })
  kit.clock.pass(30 * 60_000)
  expect(await verify()).toMatchObject({ refusal: { reason: 'invalid_token' } })
})

test('a member who leaves the workspace leaves no connection behind', async () => {
  const { session } = await makeMember(kit)
  const { tokens } = await connected(kit, {}, session)
  expect(await isValid(tokens.access_token)).toBe(true)
  const left = await fetch(`${kit.url}/api/workspaces/${kit.workspaceId}/leave`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${session}`, 'X-Workspace-Id': kit.workspaceId },
  })
  expect(left.status).toBe(200)
  expect(await isValid(tokens.access_token)).toBe(false)
})

test('a table scan shows no code and no token', async () => {
  const { tokens, back, refreshToken } = await connected(kit)
  const rows = JSON.stringify(await scanTable(kit))
  for (const secret of [tokens.access_token, refreshToken, back.searchParams.get('code') ?? '']) {
    expect(secret).toMatch(/^svc_o/)
    expect(rows).not.toContain(secret.slice(-49, -6))
  }
})

test('a request that was changed in the form is refused on a page, and no code is issued', async () => {
  const request = await requestOf(kit, await registered(kit))
  for (const change of [{ response_type: 'x'.repeat(41) }, { client_id: '' }, { state: 'x'.repeat(1_001) }]) {
    const { answered, back } = await consent(kit, request.path, change)
    expect(answered.status, JSON.stringify(change).slice(0, 40)).toBe(400)
    expect(back).toBeUndefined()
  }
})

test.each([
  ['client_id', 'another'],
  ['redirect_uri', 'https://evil.example/callback'],
  ['scope', 'posts:read posts:delete'],
  ['state', 'another'],
  ['unknown', 'parameter'],
])('a request that has %s twice is refused, also before sign-in, and leads nowhere', async (name, second) => {
  const { path } = await requestOf(kit, await registered(kit), { unknown: 'once' })
  for (const browser of [browserOf(kit, kit.sessionToken), browserOf(kit)]) {
    const page = await browser.open(`${path}&${new URLSearchParams({ [name]: second })}`)
    expect([page.status, page.heading, addressIn(page)]).toEqual([400, 'Something went wrong', undefined])
    expect(page.text).toContain(name)
  }
})

test.each(['token', 'revoke'])('a form of /api/oauth/%s that has a parameter twice is refused', async (endpoint) => {
  const { client, refreshToken, tokens } = await connected(kit)
  const fields = { grant_type: 'refresh_token', client_id: client.client_id, refresh_token: refreshToken }
  const body = new URLSearchParams([...Object.entries(fields), ['token', refreshToken], ['client_id', 'another']])
  const answer = await fetch(`${kit.url}/api/oauth/${endpoint}`, { method: 'POST', body })
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }])
  expect(await isValid(tokens.access_token)).toBe(true)
})

test('a token is for one resource: another deployment with the same keys and table refuses it', async () => {
  const assistant = await connected(kit)
  const { access_token: token } = assistant.tokens
  const env: Context['env'] = (name) => (name === 'BASE_URL' ? 'https://other.example' : kit.ctx.env(name))
  const elsewhere = await verifyAssistant({ ...kit.ctx, env }, token, '/api/mcp')
  expect(elsewhere).toMatchObject({ ok: false, refusal: { reason: 'invalid_token' } })
  const resource = 'https://other.example/api/mcp'
  const { status, body } = await refreshed(kit, assistant, assistant.refreshToken, { resource })
  expect([status, body['error']]).toEqual([400, 'invalid_target'])
  expect(await isValid(token)).toBe(true)
})

test('the person of a connection is that of the session, whatever the form says', async () => {
  const { userId, session } = await makeMember(kit)
  const other = await makeMember(kit)
  const names = { user_id: other.userId, userId: other.userId, sub: other.userId, user: other.userId }
  const { tokens } = await connected(kit, names, session)
  expect(await verifyAssistant(kit.ctx, tokens.access_token, '/api/mcp')).toMatchObject({ assistant: { userId } })
})

test('a form for a workspace of others is refused, and names nothing of it', async () => {
  const stranger = await kit.sessionApi.workspaces.create({ body: { name: 'Closed circle', timezone: 'UTC' } })
  const { session } = await makeMember(kit)
  const { path } = await requestOf(kit, await registered(kit))
  const { answered, back } = await consent(kit, path, { workspace: stranger.id }, session)
  expect([answered.status, back, answered.text.includes('Closed circle')]).toEqual([400, undefined, false])
})

test('a client chooses neither its id nor a secret, and gets nothing that it was not given', async () => {
  const { client } = await registered(kit)
  const wishes = {
    client_id: client.client_id,
    client_secret: 'mine',
    scope: 'posts:delete',
    redirect_uris: [redirectUri],
  }
  const answer = await fetch(`${kit.url}/api/oauth/register`, { method: 'POST', body: JSON.stringify(wishes) })
  const given = (await answer.json()) as Record<string, unknown>
  expect(given['client_id']).not.toBe(client.client_id)
  expect([answer.status, given['client_secret'], given['scope']]).toEqual([201, undefined, undefined])
  const secretive = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_basic' }
  const refused = await fetch(`${kit.url}/api/oauth/register`, { method: 'POST', body: JSON.stringify(secretive) })
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid_client_metadata' }])
})

test('the documents name the configured host, whatever the request says', async () => {
  const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' }
  const text = await new Promise<string>((resolve, reject) => {
    const sent = requestHttp(`${kit.url}/.well-known/oauth-authorization-server`, { headers }, async (answer) => {
      const parts = await answer.toArray()
      resolve(Buffer.concat(parts).toString('utf8'))
    })
    sent.on('error', reject).end()
  })
  expect(JSON.parse(text)).toMatchObject({ issuer: kit.url, token_endpoint: `${kit.url}/api/oauth/token` })
  expect(text).not.toContain('evil.example')
})
