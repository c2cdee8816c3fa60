import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { threadsSeed } from '../../infra/local/platforms/threads.ts'
import { threads as connector } from '../../shared/platforms/threads/connect.ts'
import { threads } from '../../shared/platforms/threads/publish.ts'
import { dayMs } from '../../shared/time.ts'
import { startGraphSite } from './graph-site.ts'
import { metaError } from './meta-error.ts'
import { failureOf } from './site.ts'

const site = await startGraphSite('threads', threads, connector)
const { platforms, fault } = site
const [, second] = threadsSeed.people

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

test('an authorization code connects a profile once, with a token of sixty days', async () => {
  const { ctx, address, back } = await site.comeBack({ person: second.id })
  expect(`${address.pathname}`).toBe('/oauth/authorize')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: threadsSeed.clientId,
    redirect_uri: site.redirectUri,
    scope: 'threads_basic,threads_content_publish,threads_manage_replies,threads_read_replies,threads_delete',
    response_type: 'code',
    state: 'the-state',
  })
  const callback = site.callbackOf(back)
  const [connection] = await connector.connect(ctx, { ...callback, code: `${callback.code}#_` })
  expect(connection).toEqual({
    platform: 'threads',
    providerName: 'Threads',
    externalId: second.id,
    username: second.username,
    displayName: second.name,
    profileImageUrl: expect.stringContaining('/face/'),
    credentials: {
      accessToken: expect.stringMatching(/^THAA/),
      issuedAtMs: site.now(),
      expiresAtMs: site.now() + (5_183_944 - 60) * 1000,
    },
    details: {},
  })
  expect(site.golden('login')[0]?.fields).toEqual({
    client_id: threadsSeed.clientId,
    client_secret: threadsSeed.clientSecret,
    code: callback.code,
    grant_type: 'authorization_code',
    redirect_uri: site.redirectUri,
  })
  expect(site.golden('exchange')[0]?.fields).toEqual({
    grant_type: 'th_exchange_token',
    client_secret: threadsSeed.clientSecret,
  })
  expect(await failureOf(connector.connect(ctx, callback))).toMatchObject({ errorClass: 'invalid' })
})

test('a login without the permission to publish is rejected by its name, and could not have published', async () => {
  expect(await failureOf(site.connect({ scope: 'threads_basic' }))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('permissions that publishing needs (threads_content_publish)'),
  })
  const [quota] = site.golden('quota')
  expect(quota).toMatchObject({ path: `/v1.0/${threadsSeed.people[0].id}/threads_publishing_limit` })
  // The token of that login, as the stand-in knows it.
  const { account, ctx } = await site.open()
  const { back } = await site.comeBack({ scope: 'threads_basic' })
  const token = await fetch(`${platforms.urls['threads']}/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: threadsSeed.clientId,
      client_secret: threadsSeed.clientSecret,
      grant_type: 'authorization_code',
      redirect_uri: site.redirectUri,
      code: site.callbackOf(back).code,
    }),
  })
  const { access_token: accessToken } = (await token.json()) as { access_token: string }
  const narrow = { ...account, credentials: { ...account.credentials, accessToken } }
  expect(await failureOf(site.publish({ ctx, account: narrow, post: site.post() }))).toMatchObject({
    errorClass: 'permission',
  })
})

test('the login of an app that may not reply requests no such permission', async () => {
  const secrets = new SecretsManagerClient({})
  const { clientId, clientSecret } = threadsSeed
  const put = (more: object) => {
    const SecretString = JSON.stringify({ clientId, clientSecret, ...more })
    return secrets.send(new PutSecretValueCommand({ SecretId: 'platforms/threads', SecretString }))
  }
  await put({ scopes: '' })
  const { address } = await site.comeBack()
  expect(address.searchParams.get('scope')).toBe('threads_basic,threads_content_publish')
  await put({})
  secrets.destroy()
})

test.each([
  [
    'the app by its secret',
    'exchange',
    metaError(1, undefined, 'Error validating client secret.'),
    'permission',
    { operator: true },
  ],
  [
    'a code, flatly',
    'login',
    { fault: 'status', status: 400, body: { error_message: 'no', code: 400 } },
    'invalid',
    {},
  ],
  ['a limit', 'login', metaError(4), 'rate', { retryAfterSeconds: 900 }],
  ['trouble', 'exchange', { fault: 'html_503' }, 'transient', {}],
  ['another shape', 'exchange', { fault: 'wrong_json' }, 'transient', {}],
] as const)('a login is rejected with %s', async (_, operation, script, errorClass, info) => {
  fault({ ...script, operation })
  expect(await failureOf(site.connect())).toMatchObject({ errorClass, info })
})

test('extends a token in its last days, and not in its first', async () => {
  const { ctx, account } = await site.open()
  const { expiresAtMs } = account.credentials
  expect(connector.renewAtMs?.(account.credentials)).toBe(Number(expiresAtMs) - 15 * dayMs)
  expect(connector.credentialsExpireAtMs?.(account.credentials)).toBe(expiresAtMs)
  // On its first day only its validity is checked.
  expect(await connector.refresh?.(ctx, account)).toEqual(account.credentials)
  fault({ ...metaError(190, 460), operation: 'profile' })
  expect(await failureOf(connector.refresh?.(ctx, account) ?? Promise.resolve())).toMatchObject({ errorClass: 'auth' })
  expect(site.golden('extend')).toEqual([])
  site.pass(45 * dayMs)
  const fresh = (await connector.refresh?.(ctx, account)) ?? {}
  expect(fresh).toEqual({
    accessToken: expect.stringMatching(/^THAA/),
    issuedAtMs: site.now(),
    expiresAtMs: site.now() + (5_183_944 - 60) * 1000,
  })
  expect(fresh['accessToken']).not.toBe(account.credentials['accessToken'])
  expect(site.golden('extend')[0]?.fields).toEqual({ grant_type: 'th_refresh_token' })
  // The old one works until its own end, and cannot be revived after it.
  const post = { ctx, account, post: site.post() }
  await site.publish(post)
  site.pass(20 * dayMs)
  expect(await failureOf(site.publish(post))).toMatchObject({ errorClass: 'auth', info: { code: '190/467' } })
  expect(await failureOf(connector.refresh?.(ctx, account) ?? Promise.resolve())).toMatchObject({ errorClass: 'auth' })
})

test('rejects a foreign profile', async () => {
  const call = await site.open()
  const account = { ...call.account, externalId: second.id }
  expect(await failureOf(site.publish({ ...call, account }))).toMatchObject({
    errorClass: 'permission',
    info: { code: '100/33' },
  })
})
