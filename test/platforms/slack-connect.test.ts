import { expect, test } from 'vitest'
import { slackSeed } from '../../infra/local/platforms/slack.ts'
import { fetchChannels } from '../../shared/platforms/slack/channels.ts'
import { slack as connector } from '../../shared/platforms/slack/connect.ts'
import { redirectUri } from './arrive.ts'
import { accountOf, failureOf } from './site.ts'
import { no, visitSlack } from './slack-visit.ts'

const { site, letIn, connect, sent, formOf, fault } = await visitSlack()
const { app, teams } = slackSeed
const [, rotating] = teams

test('connects a workspace: authorization URL, token exchange, account', async () => {
  const { address, code } = await letIn(rotating.id)
  expect(address.pathname).toBe('/oauth/v2/authorize')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: app.clientId,
    scope:
      'chat:write,chat:write.public,channels:read,groups:read,channels:join,files:write,files:read,team:read,channels:history,groups:history',
    redirect_uri: redirectUri,
    state: 'the-state',
  })
  const connections = await connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' })
  expect(connections).toEqual([
    {
      platform: 'slack',
      providerName: 'Slack',
      externalId: 'T0DEMO002',
      username: 'Rotating',
      displayName: 'Rotating',
      profileImageUrl: expect.stringContaining('/face/'),
      credentials: {
        accessToken: expect.stringMatching(/^xoxe\.xoxb-/),
        refreshToken: expect.stringMatching(/^xoxe-1-/),
        expiresAtMs: site.now() + 43_200_000 - 60_000,
      },
      details: { url: 'https://rotating.slack.com/', botUserId: 'U0DEMOBOT2' },
    },
  ])
  const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`
  expect(sent('login')).toMatchObject([{ path: '/api/oauth.v2.access', headers: { authorization: basic } }])
  expect(formOf('login')).toEqual({ code, redirect_uri: redirectUri })
  const again = connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' })
  expect(await failureOf(again)).toMatchObject({ errorClass: 'invalid', info: { code: 'invalid_code' } })
})

test('tokens expire only with rotation, and are refreshed once', async () => {
  const lasting = await connect()
  expect(lasting.credentials).toEqual({ accessToken: expect.stringMatching(/^xoxb-/) })
  expect(connector.credentialsExpireAtMs?.(lasting.credentials)).toBeUndefined()
  const refresh = async (account: Parameters<NonNullable<typeof connector.refresh>>[1]) =>
    connector.refresh?.(site.ctx(), account)
  expect(await failureOf(refresh(accountOf(lasting)))).toMatchObject({ errorClass: 'auth' })

  const account = accountOf(await connect(rotating.id))
  site.pass(13 * 3_600_000)
  expect(await failureOf(fetchChannels(site.ctx(), account))).toMatchObject({ info: { code: 'token_expired' } })
  const credentials = await refresh(account)
  expect(formOf('login')).toEqual({ grant_type: 'refresh_token', refresh_token: account.credentials['refreshToken'] })
  expect(credentials?.['refreshToken']).not.toBe(account.credentials['refreshToken'])
  expect(await fetchChannels(site.ctx(), { ...account, credentials: credentials ?? {} })).toHaveLength(1)
  expect(await failureOf(refresh(account))).toMatchObject({
    errorClass: 'auth',
    info: { code: 'invalid_refresh_token' },
  })
})

test.each([
  ['a whole organization', { is_enterprise_install: true }, 'whole organization'],
  ['too few rights', { scope: 'chat:write,team:read' }, 'files:write'],
])('rejects an installation with %s', async (_, more, message) => {
  const { code } = await letIn()
  const good = { ok: true, access_token: 'xoxb-1', scope: '', team: { id: 'T1', name: 'T' }, bot_user_id: 'U1' }
  fault({ fault: 'status', status: 200, operation: 'login', body: { ...good, ...more } })
  const error = await failureOf(connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' }))
  expect(error).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining(message) })
})

test('a wrong app secret is an operator error', async () => {
  const { code } = await letIn()
  fault({ ...no('bad_client_secret'), operation: 'login' })
  const error = await failureOf(connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' }))
  expect(error).toMatchObject({ errorClass: 'permission', info: { operator: true } })
})

test('lists all pages of channels, without archived and inaccessible ones', async () => {
  const channels = await fetchChannels(site.ctx(), accountOf(await connect()))
  expect(channels).toEqual([
    { id: 'C0DEMO001', name: 'general', type: 'public', isMember: true },
    { id: 'C0DEMO002', name: 'random', type: 'public', isMember: false },
    { id: 'C0DEMO004', name: 'launch', type: 'private', isMember: true },
    { id: 'C0DEMO006', name: 'showcase', type: 'public', isMember: false },
  ])
  const queries = sent('channels').map(({ body }) => Object.fromEntries(new URLSearchParams(String(body))))
  expect(queries).toHaveLength(3)
  expect(queries[0]).toEqual({ types: 'public_channel,private_channel', exclude_archived: 'true', limit: '200' })
  expect(queries[2]?.['cursor']).toBeTruthy()
})
