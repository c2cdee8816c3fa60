import { expect, test } from 'vitest'
import { xSeed } from '../../infra/local/platforms/x/seed.ts'
import { x as connector } from '../../shared/platforms/x/connect.ts'
import { failureOf } from './site.ts'
import { codeChallenge, codeVerifier, redirectUri, visitX } from './x-visit.ts'

const { site, platforms, authorize, connect, open, publish, last } = await visitX()

test('requests authorization at X with PKCE and the publishing scopes only', async () => {
  const { address, back } = await authorize()
  expect(`${address.origin}${address.pathname}`).toBe(`${platforms.urls['x']}/i/oauth2/authorize`)
  expect(Object.fromEntries(address.searchParams)).toEqual({
    response_type: 'code',
    client_id: xSeed.app.clientId,
    redirect_uri: redirectUri,
    scope: 'tweet.read tweet.write users.read media.write offline.access',
    state: 'the-state',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  })
  expect(back.searchParams.get('state')).toBe('the-state')
})

test('exchanges the code for tokens once, with app secret and verifier, within thirty seconds', async () => {
  const { back } = await authorize()
  const code = back.searchParams.get('code') ?? ''
  const [connection] = await connector.connect(site.ctx(), { code, redirectUri, codeVerifier })
  const basic = Buffer.from(`${xSeed.app.clientId}:${xSeed.app.clientSecret}`).toString('base64')
  expect(last('login')).toMatchObject({ method: 'POST', path: '/2/oauth2/token' })
  expect(last('login')?.headers).toMatchObject({
    authorization: `Basic ${basic}`,
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(Object.fromEntries(new URLSearchParams(String(last('login')?.body)))).toEqual({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  })
  expect(connection).toEqual({
    platform: 'x',
    providerName: 'X',
    externalId: '2244994945',
    username: 'demo',
    displayName: 'Demo',
    profileImageUrl: expect.stringMatching(/\/face\/\d+_400x400\.png$/),
    credentials: {
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresAtMs: site.now() + 7140_000,
      renewAtMs: site.now() + 30 * 86_400_000,
    },
    details: { tier: 'free' },
  })
  const again = connector.connect(site.ctx(), { code, redirectUri, codeVerifier })
  expect(await failureOf(again)).toMatchObject({ errorClass: 'invalid' })
  const other = (await authorize()).back.searchParams.get('code') ?? ''
  const stolen = connector.connect(site.ctx(), { code: other, redirectUri, codeVerifier: 'another' })
  expect(await failureOf(stolen)).toMatchObject({ errorClass: 'invalid' })
  const late = (await authorize()).back.searchParams.get('code') ?? ''
  site.pass(31_000)
  expect(await failureOf(connector.connect(site.ctx(), { code: late, redirectUri, codeVerifier }))).toMatchObject({
    errorClass: 'invalid',
  })
})

test('recognizes a paid account as premium', async () => {
  expect((await connect('2244994946')).details).toEqual({ tier: 'premium' })
})

test('rejects a login without all scopes, and names the missing ones', async () => {
  const body = { access_token: 'a', expires_in: 7200, scope: 'tweet.read users.read offline.access' }
  platforms.faults.add({ platform: 'x', operation: 'login', times: 1, fault: 'status', status: 200, body })
  const failure = await failureOf(connect())
  expect(failure).toMatchObject({ errorClass: 'invalid' })
  expect(failure.message).toContain('tweet.write, media.write')
})

test('a refresh rotates the tokens, and the old refresh token fails', async () => {
  const call = await open()
  const fresh = await connector.refresh?.(call.ctx, call.account)
  expect(fresh?.['refreshToken']).not.toBe(call.account.credentials['refreshToken'])
  await publish({ ...call, account: { ...call.account, credentials: fresh ?? {} } })
  const spent = connector.refresh?.(call.ctx, call.account) ?? Promise.resolve()
  expect(await failureOf(spent)).toMatchObject({ errorClass: 'auth' })
})

test('revokes the connection at X', async () => {
  const call = await open()
  await connector.revoke?.(call.ctx, call.account)
  expect(new URLSearchParams(String(last('revoke')?.body)).get('token')).toBe(call.account.credentials['refreshToken'])
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'auth' })
})
