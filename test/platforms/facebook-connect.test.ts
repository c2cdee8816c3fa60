import { afterAll, beforeEach, expect, test } from 'vitest'
import { facebookSeed } from '../../infra/local/platforms/facebook.ts'
import { facebook as connector } from '../../shared/platforms/facebook/connect.ts'
import { facebook } from '../../shared/platforms/facebook/publish.ts'
import { startGraphSite } from './graph-site.ts'
import { metaError } from './meta-error.ts'
import { failureOf } from './site.ts'

const site = await startGraphSite('facebook', facebook, connector)
const { platforms, fault } = site
const [bakery, cafe, , business] = facebookSeed.pages
const [person, second, stranger] = facebookSeed.people

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

test('offers the Pages of a person, each with its own token without expiry', async () => {
  const { ctx, address, back } = await site.comeBack({ person: person.id })
  expect(address.pathname).toBe('/v25.0/dialog/oauth')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: facebookSeed.clientId,
    redirect_uri: site.redirectUri,
    state: 'the-state',
    response_type: 'code',
    scope: 'pages_show_list,pages_manage_posts,pages_read_engagement,business_management,pages_manage_engagement',
  })
  const callback = site.callbackOf(back)
  const connections = await connector.connect(ctx, { ...callback, code: `${callback.code}#_` })
  // The third one may only be looked at.
  expect(connections).toEqual(
    [bakery, cafe].map((page) => ({
      platform: 'facebook',
      providerName: 'Facebook',
      externalId: page.id,
      username: page.username ?? null,
      displayName: page.name,
      profileImageUrl: expect.stringContaining('/face/'),
      credentials: { accessToken: expect.stringMatching(/^EAAB/) },
      sharedGrant: person.id,
      details: { person: person.id },
    })),
  )
  const [code, long] = site.golden('login')
  const app = { client_id: facebookSeed.clientId, client_secret: facebookSeed.clientSecret }
  expect(code).toEqual({
    method: 'GET',
    path: '/v25.0/oauth/access_token',
    fields: { ...app, redirect_uri: site.redirectUri, code: callback.code },
  })
  expect(long?.fields).toEqual({ ...app, grant_type: 'fb_exchange_token', fb_exchange_token: expect.any(String) })
  // Its list goes on after two.
  expect(site.golden('accounts').map(({ path, fields }) => [path, fields['after']])).toEqual([
    ['/v25.0/me/accounts', undefined],
    ['/v25.0/me/accounts', '2'],
  ])
  expect(await failureOf(connector.connect(ctx, callback))).toMatchObject({ errorClass: 'invalid' })
  site.pass(400 * 24 * 3_600_000)
  const [first] = connections
  if (first) await site.publish({ ctx, account: site.accountFrom(first), post: site.post() })
  expect(platforms.published()).toHaveLength(1)
})

test('offers Pages of businesses where the scope is granted', async () => {
  const ids = async (scope?: string) =>
    (await site.connect({ person: second.id, ...(scope ? { scope } : {}) })).map(({ externalId }) => externalId)
  expect(await ids()).toEqual([cafe.id, business.id])
  expect(await ids('pages_show_list,pages_manage_posts,pages_read_engagement')).toEqual([cafe.id])
})

test('reports a missing publishing scope, and a login without a Page', async () => {
  const scope = 'pages_show_list,pages_read_engagement'
  expect(await failureOf(site.connect({ scope }))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('(pages_manage_posts)'),
  })
  expect(await failureOf(site.connect({ person: stranger.id }))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringMatching(/^Facebook shared no Page/),
  })
})

test('an unknown app at Facebook is an operator error', async () => {
  fault({ ...metaError(101, undefined, 'Error validating application.'), operation: 'login' })
  expect(await failureOf(site.connect())).toMatchObject({ errorClass: 'permission', info: { operator: true } })
  fault({ operation: 'login', fault: 'html_503' })
  expect(await failureOf(site.connect())).toMatchObject({ errorClass: 'transient' })
})

test('the grant of a person is revoked for all their Pages, with a token of the app', async () => {
  const [call, other] = [await site.open(), await site.open()]
  await connector.revokeSharedGrant?.(call.ctx, call.account)
  expect(site.golden('revoke')).toEqual([
    {
      method: 'DELETE',
      path: `/v25.0/${person.id}/permissions`,
      fields: {},
    },
  ])
  expect(await failureOf(site.publish(other))).toMatchObject({ errorClass: 'auth' })
  expect(JSON.stringify(site.effects)).not.toContain(facebookSeed.clientSecret)
})

test('uses a Page’s own token only', async () => {
  const call = await site.open()
  const account = { ...call.account, externalId: cafe.id }
  expect(await failureOf(site.publish({ ...call, account }))).toMatchObject({ info: { code: '100/33' } })
})
