import { expect, test } from 'vitest'
import { redditSeed } from '../../infra/local/platforms/reddit.ts'
import { agentOf } from '../../shared/platforms/reddit/api.ts'
import { reddit as connector } from '../../shared/platforms/reddit/connect.ts'
import { subredditName } from '../../shared/platforms/reddit/definition.ts'
import { checkRequirements } from '../../shared/platforms/reddit/requirements.ts'
import { fetchFlairs, fetchRequirements } from '../../shared/platforms/reddit/subreddit.ts'
import { version } from '../../shared/version.ts'
import { redirectUri } from './arrive.ts'
import { base, editableFlair, flairId, visitReddit } from './reddit-visit.ts'
import { accountOf, failureOf } from './site.ts'

const { site, platforms, letIn, connect, open, sent, formOf, fault } = await visitReddit()
const { app } = redditSeed

test('connects a profile: authorization URL, token exchange, account', async () => {
  const { address, code } = await letIn()
  expect(address.pathname).toBe('/api/v1/authorize')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: app.clientId,
    response_type: 'code',
    state: 'the-state',
    redirect_uri: redirectUri,
    duration: 'permanent',
    scope: 'identity submit read flair history edit',
  })
  expect(await connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' })).toEqual([
    {
      platform: 'reddit',
      providerName: 'Reddit',
      externalId: 'demo1',
      username: 'demo_writer',
      displayName: 'demo_writer',
      profileImageUrl: expect.stringMatching(/\/face\/demo1$/),
      credentials: {
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        expiresAtMs: site.now() + 86_400_000 - 60_000,
      },
      details: {},
    },
  ])
  const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`
  const headers = { authorization: basic, 'user-agent': `server:local-reddit-app:${version} (by /u/demo_operator)` }
  expect(sent('login')).toMatchObject([{ path: '/api/v1/access_token', headers }])
  expect(formOf('login')).toEqual({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
  const again = connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' })
  expect(await failureOf(again)).toMatchObject({ errorClass: 'invalid' })
})

test('every call names the app and its Reddit user in the User-Agent', async () => {
  const app = { clientId: 'id', clientSecret: 'secret' }
  expect(agentOf({ ...app, redditUser: 'somebody' })).toBe(`server:id:${version} (by /u/somebody)`)
  expect(agentOf({ ...app, redditUser: '/u/some-body', appId: 'my.app' })).toBe(
    `server:my.app:${version} (by /u/some-body)`,
  )
  for (const redditUser of [undefined, '', 'ab', 'social-publishing-service', 'some body']) {
    const refused = Promise.resolve().then(() => agentOf({ ...app, redditUser }))
    expect(await failureOf(refused)).toMatchObject({ errorClass: 'permission', info: { operator: true } })
  }
})

test('a missing scope or a suspended account connects nothing', async () => {
  const connectWith = async (scope: string, me: object = {}) => {
    const { code } = await letIn()
    fault({ fault: 'status', status: 200, operation: 'login', body: { access_token: 'x', scope } })
    fault({ fault: 'status', status: 200, operation: 'profile', body: { id: '1', name: 'a', ...me } })
    return failureOf(connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' }))
  }
  expect((await connectWith('identity submit read flair')).message).toContain('(history)')
  platforms.faults.clear()
  expect((await connectWith('identity submit read flair history edit', { is_suspended: true })).message).toContain(
    'suspended',
  )
})

test('a refresh keeps the refresh token, which fails after a revocation', async () => {
  const connection = await connect()
  const account = { ...accountOf(connection), username: connection.username }
  site.pass(86_400_000)
  expect(await failureOf(fetchFlairs(site.ctx(), account, 'flaired'))).toMatchObject({ errorClass: 'auth' })
  const credentials = (await connector.refresh?.(site.ctx(), account)) ?? {}
  expect(credentials['refreshToken']).toBe(account.credentials['refreshToken'])
  expect(credentials['accessToken']).not.toBe(account.credentials['accessToken'])
  const renewed = { ...account, credentials }
  expect(await fetchFlairs(site.ctx(), renewed, 'flaired')).toHaveLength(2)
  await connector.revoke?.(site.ctx(), renewed)
  expect(sent('revoke')).toMatchObject([{ status: 204, path: '/api/v1/revoke_token' }])
  expect(await failureOf(Promise.resolve(connector.refresh?.(site.ctx(), renewed)))).toMatchObject({
    errorClass: 'auth',
  })
})

test('lists the flairs of a subreddit without moderator flairs; none where flairs are off', async () => {
  const { ctx, account } = await open()
  expect(await fetchFlairs(ctx, account, 'flaired')).toEqual([
    { id: flairId, text: 'Discussion', textEditable: false },
    { id: editableFlair?.id, text: 'Your own words', textEditable: true },
  ])
  expect(sent('flairs')[0]).toMatchObject({ path: '/r/flaired/api/link_flair_v2', query: 'raw_json=1' })
  fault({ fault: 'status', status: 403, operation: 'flairs' })
  expect(await fetchFlairs(ctx, account, 'flaired')).toHaveLength(2)
  expect(formOf('flairSelector')).toEqual({ is_newlink: 'true' })
  expect(await fetchFlairs(ctx, account, 'test')).toEqual([])
  const gone = await failureOf(fetchFlairs(ctx, account, 'nowhere'))
  expect(gone).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining('not found') })
  expect(await failureOf(fetchRequirements(ctx, account, 'closed'))).toMatchObject({ errorClass: 'invalid' })
})

const judge = async (metadata: object, text?: string) => {
  const { ctx, account } = await open()
  const post = { ...base, subreddit: 'strict', title: '[Recipe] A cake in May', ...metadata }
  const rules = await fetchRequirements(ctx, account, subredditName(post.subreddit))
  return checkRequirements(post, text, rules).map(({ code, message }) => `${code} ${message}`)
}

test('checks the title requirements of a subreddit', async () => {
  expect(await judge({})).toEqual([])
  const tag = '[Recipe] '
  for (const length of [10, 11, 59, 60]) expect(await judge({ title: tag.padEnd(length, '漢') })).toEqual([])
  expect(await judge({ title: '[Recipe]x' })).toEqual([
    expect.stringMatching(/^metadata_invalid .*at least 10 characters/),
  ])
  expect(await judge({ title: tag.padEnd(61, 'x') })).toEqual([expect.stringContaining('61/60')])
  expect(await judge({ title: 'A cake in May' })).toEqual([expect.stringContaining('[Recipe], [Question]')])
  expect(await judge({ title: '[recipe] GIVEAWAY' })).toEqual([expect.stringContaining('"giveaway"')])
})

test('checks the text, link, and flair requirements of a subreddit', async () => {
  expect(await judge({}, '')).toEqual([expect.stringContaining('content_empty')])
  expect(await judge({}, 'x'.repeat(19))).toEqual([expect.stringContaining('body of at least 20')])
  expect(await judge({}, 'x'.repeat(20))).toEqual([])
  expect(await judge({ kind: 'link', url: 'https://www.example.com/a' }, '')).toEqual([])
  expect(await judge({ kind: 'link', url: 'https://notexample.com/a' })).toEqual([
    expect.stringContaining('notexample.com'),
  ])
  const flaired = { subreddit: 'r/flaired', title: 'A cake' }
  expect(await judge(flaired)).toEqual([expect.stringMatching(/^flair_required r\/flaired requires a flair/)])
  expect(await judge({ ...flaired, flairId })).toEqual([])
})
