import { expect, test } from 'vitest'
import { youtubeSeed } from '../../infra/local/platforms/youtube.ts'
import { youtube as connector } from '../../shared/platforms/youtube/connect.ts'
import { youtube } from '../../shared/platforms/youtube/publish.ts'
import { authorize, codeChallenge, codeVerifier, letIn, redirectUri } from './arrive.ts'
import { failureOf } from './site.ts'
import { visit } from './visit.ts'

const { site, platforms, sentTo, fault, open } = await visit(youtube, connector)
const { demo, bare, app } = youtubeSeed
const both = 'https://www.googleapis.com/auth/youtube.upload https://www.googleapis.com/auth/youtube.readonly'

test('requests its scopes, that of comments too, and offline access', async () => {
  const { address } = await letIn(site.ctx(), connector)
  expect(`${address.origin}${address.pathname}`).toBe(`${platforms.urls['youtube']}/o/oauth2/v2/auth`)
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: `${both} https://www.googleapis.com/auth/youtube.force-ssl`,
    access_type: 'offline',
    prompt: 'consent',
    include_granted_scopes: 'true',
    state: 'the-state',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  })
})

test('an authorization code connects a channel once, with its verifier only', async () => {
  const ctx = site.ctx()
  const { code } = await letIn(ctx, connector)
  const callback = { code, redirectUri, codeVerifier }
  const [connection] = await connector.connect(ctx, callback)
  expect(connection).toEqual({
    platform: 'youtube',
    providerName: 'YouTube',
    externalId: demo.channel.id,
    username: 'demochannel',
    displayName: 'Demo Channel',
    profileImageUrl: expect.stringContaining('/face/'),
    credentials: {
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresAtMs: site.now() + (3599 - 60) * 1000,
      renewAtMs: site.now() + 30 * 86_400_000,
    },
    details: { uploads: demo.channel.uploads },
  })
  expect(Object.fromEntries(new URLSearchParams(String(sentTo('login')[0]?.body)))).toEqual({
    client_id: app.clientId,
    client_secret: app.clientSecret,
    code,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  })
  expect(sentTo('channels')[0]).toMatchObject({
    path: '/youtube/v3/channels',
    query: 'part=snippet%2CcontentDetails&mine=true',
  })
  expect(await failureOf(connector.connect(ctx, callback))).toMatchObject({ errorClass: 'invalid' })
  const { code: other } = await letIn(ctx, connector)
  const stolen = connector.connect(ctx, { code: other, redirectUri, codeVerifier: 'x'.repeat(43) })
  expect(await failureOf(stolen)).toMatchObject({ errorClass: 'invalid' })
})

test('rejects a login without a channel or without a scope, and says why', async () => {
  const failure = await failureOf(authorize(site.ctx(), connector, bare.id))
  expect(failure).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('YouTube channel not found'),
  })
  const body = { access_token: 'a', refresh_token: 'r', expires_in: 3599, scope: both.split(' ')[1] }
  fault({ operation: 'login', fault: 'status', status: 200, body })
  expect(await failureOf(authorize(site.ctx(), connector))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('youtube.upload'),
  })
})

test('a refresh returns a new access token and keeps the refresh token, until Google revokes it', async () => {
  const { ctx, account } = await open()
  site.pass(1000)
  const fresh = await connector.refresh?.(ctx, account)
  expect(fresh).toEqual({
    ...account.credentials,
    accessToken: expect.any(String),
    expiresAtMs: site.now() + 3539_000,
    renewAtMs: site.now() + 30 * 86_400_000,
  })
  expect(fresh?.['accessToken']).not.toBe(account.credentials['accessToken'])
  expect(connector.credentialsExpireAtMs?.(fresh ?? {})).toBe(site.now() + 3539_000)
  expect(connector.renewAtMs?.(fresh ?? {})).toBe(site.now() + 30 * 86_400_000)
  const again = { ...account, credentials: fresh ?? {} }
  const refreshed = () => connector.refresh?.(ctx, again) ?? Promise.resolve()
  const body = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }
  fault({ operation: 'login', fault: 'status', status: 400, body })
  expect(await failureOf(refreshed())).toMatchObject({ errorClass: 'auth', info: { code: 'invalid_grant' } })
  fault({ operation: 'login', fault: 'status', status: 400, body: { error: 'admin_policy_enforced' } })
  expect(await failureOf(refreshed())).toMatchObject({
    errorClass: 'permission',
    message: expect.stringContaining('whose administrator does not allow this service'),
  })
  fault({ operation: 'login', fault: 'status', status: 401, body: { error: 'invalid_client' } })
  expect(await failureOf(refreshed())).toMatchObject({ errorClass: 'permission', info: { operator: true } })
  await refreshed()
})

test.each([
  ['the page of an edge that refuses', { fault: 'status', status: 403, body: '<html>' }],
  ['a page with a 400', { fault: 'status', status: 400, body: '<html>' }],
  ['a door in trouble', { fault: 'status', status: 400, body: { error: 'temporarily_unavailable' } }],
  ['a door in trouble that says so with a 200', { fault: 'status', status: 200, body: { error: 'internal_error' } }],
] as const)('a refresh that meets %s keeps the connection', async (_, script) => {
  const { ctx, account } = await open()
  fault({ operation: 'login', ...script })
  const refreshed = connector.refresh?.(ctx, account) ?? Promise.resolve()
  expect(await failureOf(refreshed)).toMatchObject({ errorClass: 'transient' })
})

test('revokes the whole connection', async () => {
  const { ctx, account } = await open()
  await connector.revoke?.(ctx, account)
  expect(String(sentTo('revoke')[0]?.body)).toBe(`token=${account.credentials['refreshToken']}`)
  expect(await failureOf(connector.refresh?.(ctx, account) ?? Promise.resolve())).toMatchObject({ errorClass: 'auth' })
})
