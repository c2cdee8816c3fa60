import { afterAll, beforeEach, expect, test } from 'vitest'
import { instagramSeed } from '../../infra/local/platforms/instagram.ts'
import { instagram as connector } from '../../shared/platforms/instagram/connect.ts'
import { instagram } from '../../shared/platforms/instagram/publish.ts'
import { dayMs } from '../../shared/time.ts'
import { startGraphSite } from './graph-site.ts'
import { failureOf } from './site.ts'

const site = await startGraphSite('instagram', instagram, connector)
const { platforms, fault } = site
const [, second] = instagramSeed.people

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

test('an authorization code connects an account once, with a token of sixty days', async () => {
  const { ctx, address, back } = await site.comeBack({ person: second.id })
  expect(address.pathname).toBe('/oauth/authorize')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: instagramSeed.clientId,
    redirect_uri: site.redirectUri,
    response_type: 'code',
    scope: 'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_comments',
    state: 'the-state',
  })
  const callback = site.callbackOf(back)
  expect(await connector.connect(ctx, { ...callback, code: `${callback.code}#_` })).toEqual([
    {
      platform: 'instagram',
      providerName: 'Instagram',
      // The account's own id, not the one that holds for the app alone.
      externalId: second.id,
      username: second.username,
      displayName: second.username,
      profileImageUrl: expect.stringContaining('/face/'),
      credentials: {
        accessToken: expect.stringMatching(/^IGAA/),
        issuedAtMs: site.now(),
        expiresAtMs: site.now() + (5_183_944 - 60) * 1000,
      },
      details: {},
    },
  ])
  expect(site.golden('login')[0]).toEqual({
    method: 'POST',
    path: '/oauth/access_token',
    fields: {
      client_id: instagramSeed.clientId,
      client_secret: instagramSeed.clientSecret,
      grant_type: 'authorization_code',
      redirect_uri: site.redirectUri,
      code: callback.code,
    },
  })
  expect(site.golden('exchange')[0]?.fields).toEqual({
    grant_type: 'ig_exchange_token',
    client_secret: instagramSeed.clientSecret,
  })
  expect(await failureOf(connector.connect(ctx, callback))).toMatchObject({ errorClass: 'invalid' })
})

test('reports a missing publishing scope', async () => {
  const error = await failureOf(site.connect({ scope: 'instagram_business_basic' }))
  expect(error).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('instagram_business_content_publish'),
  })
})

test('accepts a short-lived token in a list', async () => {
  const { ctx, back } = await site.comeBack()
  const permissions = ['instagram_business_basic']
  const body = { data: [{ access_token: 'short', user_id: 1, permissions }] }
  fault({ operation: 'login', fault: 'status', status: 200, body })
  expect(await failureOf(connector.connect(ctx, site.callbackOf(back)))).toMatchObject({
    message: expect.stringContaining('(instagram_business_content_publish)'),
  })
})

test('an unknown app at Instagram is an operator error', async () => {
  const body = { error_type: 'OAuthException', code: 400, error_message: 'Invalid platform app' }
  fault({ operation: 'login', fault: 'status', status: 400, body })
  expect(await failureOf(site.connect())).toMatchObject({ errorClass: 'permission', info: { operator: true } })
})

test('extends a token', async () => {
  const { ctx, account } = await site.open()
  expect(connector.renewAtMs?.(account.credentials)).toBe(Number(account.credentials['expiresAtMs']) - 15 * dayMs)
  site.pass(2 * dayMs)
  const fresh = await connector.refresh?.(ctx, account)
  expect(fresh).toMatchObject({ issuedAtMs: site.now() })
  expect(fresh?.['accessToken']).not.toBe(account.credentials['accessToken'])
  expect(site.golden('extend')).toEqual([
    { method: 'GET', path: '/refresh_access_token', fields: { grant_type: 'ig_refresh_token' } },
  ])
})
