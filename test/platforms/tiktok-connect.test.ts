import { expect, test } from 'vitest'
import { tiktokSeed } from '../../infra/local/platforms/tiktok.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { tiktok as connector } from '../../shared/platforms/tiktok/connect.ts'
import { tiktok } from '../../shared/platforms/tiktok/publish.ts'
import { codeVerifier, letIn, redirectUri } from './arrive.ts'
import { failureOf } from './site.ts'
import { visit } from './visit.ts'

const { site, platforms, sentTo, fault, ...own } = await visit(tiktok, connector)
const { demo, shy, app } = tiktokSeed

const open = (post: Partial<OutgoingPost> = {}, person?: string) => {
  const metadata = { privacyLevel: person === shy.id ? 'SELF_ONLY' : 'PUBLIC_TO_EVERYONE' }
  return own.open({ text: 'A clip #fun', metadata, ...post }, person)
}

test('requests the publishing scopes and those of the app, separated by commas', async () => {
  const { address } = await letIn(site.ctx(), connector)
  expect(`${address.origin}${address.pathname}`).toBe(`${platforms.urls['tiktok']}/v2/auth/authorize/`)
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_key: app.clientId,
    response_type: 'code',
    scope: 'user.info.basic,user.info.profile,video.publish,video.upload',
    redirect_uri: redirectUri,
    state: 'the-state',
  })
})

test('an authorization code connects an account once', async () => {
  const ctx = site.ctx()
  const { code } = await letIn(ctx, connector)
  const callback = { code, redirectUri, codeVerifier }
  const [connection] = await connector.connect(ctx, callback)
  expect(connection).toEqual({
    platform: 'tiktok',
    providerName: 'TikTok',
    externalId: demo.id,
    username: 'demo.creator',
    displayName: 'Demo Creator',
    profileImageUrl: expect.stringContaining('/face/'),
    credentials: {
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresAtMs: site.now() + (7200 - 60) * 1000,
      renewAtMs: site.now() + 30 * 86_400_000,
    },
    details: {},
  })
  expect(Object.fromEntries(new URLSearchParams(String(sentTo('login')[0]?.body)))).toEqual({
    client_key: app.clientId,
    client_secret: app.clientSecret,
    code,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
  })
  expect(sentTo('profile')[0]?.query).toBe('fields=open_id%2Cunion_id%2Cavatar_url%2Cdisplay_name%2Cusername')
  expect(await failureOf(connector.connect(ctx, callback))).toMatchObject({ errorClass: 'invalid' })
})

test('rejects a login without a publishing scope, and names it', async () => {
  const ctx = site.ctx()
  const { code } = await letIn(ctx, connector)
  const body = { access_token: 'a', refresh_token: 'r', expires_in: 7200, scope: 'user.info.basic,user.info.profile' }
  fault({ operation: 'login', fault: 'status', status: 200, body })
  const failure = await failureOf(connector.connect(ctx, { code, redirectUri, codeVerifier }))
  expect(failure).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining('(video.publish)') })
})

test('a refresh rotates the tokens; a spent one, or an error with HTTP 200, ends the connection', async () => {
  const { ctx, account } = await open()
  site.pass(3600_000)
  const fresh = await connector.refresh?.(ctx, account)
  expect(fresh).toMatchObject({ renewAtMs: site.now() + 30 * 86_400_000 })
  expect(fresh?.['refreshToken']).not.toBe(account.credentials['refreshToken'])
  expect(connector.renewAtMs?.(fresh ?? {})).toBe(site.now() + 30 * 86_400_000)
  expect(connector.credentialsExpireAtMs?.(fresh ?? {})).toBe(site.now() + 7140_000)
  const refreshes = async () => failureOf(connector.refresh?.(ctx, account) ?? Promise.resolve())
  expect(await refreshes()).toMatchObject({ errorClass: 'auth' })
  const body = { error: 'invalid_grant', error_description: 'spent', log_id: '1' }
  fault({ operation: 'login', fault: 'status', status: 200, body })
  expect(await refreshes()).toMatchObject({ errorClass: 'auth', info: { code: 'invalid_grant' } })
})

test('revokes the connection', async () => {
  const { ctx, account } = await open()
  await connector.revoke?.(ctx, account)
  expect(Object.fromEntries(new URLSearchParams(String(sentTo('revoke')[0]?.body)))).toEqual({
    client_key: app.clientId,
    client_secret: app.clientSecret,
    token: account.credentials['accessToken'],
  })
  expect(await failureOf(connector.refresh?.(ctx, account) ?? Promise.resolve())).toMatchObject({ errorClass: 'auth' })
})
