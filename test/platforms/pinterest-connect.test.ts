import { expect, test } from 'vitest'
import { pinterestSeed } from '../../infra/local/platforms/pinterest.ts'
import { createBoard, fetchBoards } from '../../shared/platforms/pinterest/boards.ts'
import { pinterest as connector } from '../../shared/platforms/pinterest/connect.ts'
import { redirectUri } from './arrive.ts'
import { visitPinterest } from './pinterest-visit.ts'
import { accountOf, failureOf } from './site.ts'

const { site, platforms, letIn, connect, fault } = await visitPinterest()
const { app, people } = pinterestSeed
const [, otto] = people
const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`

test('connects a profile: authorization URL, token exchange, account', async () => {
  const { address, code } = await letIn(otto?.id)
  expect(address.pathname).toBe('/oauth/')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope:
      'boards:read,boards:write,pins:read,pins:write,user_accounts:read,boards:read_secret,boards:write_secret,pins:read_secret,pins:write_secret',
    state: 'the-state',
  })
  const connections = await connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' })
  expect(connections).toEqual([
    {
      platform: 'pinterest',
      providerName: 'Pinterest',
      externalId: otto?.id,
      username: 'otto_builds',
      displayName: 'Otto',
      profileImageUrl: expect.stringContaining('/face/'),
      credentials: {
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        expiresAtMs: site.now() + 2_592_000_000 - 60_000,
        refreshExpiresAtMs: site.now() + 5_184_000_000 - 60_000,
      },
      details: {},
    },
  ])
  const login = platforms.calls().find(({ operation }) => operation === 'login')
  expect(login).toMatchObject({ path: '/v5/oauth/token', headers: { authorization: basic } })
  expect(Object.fromEntries(new URLSearchParams(String(login?.body)))).toEqual({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    continuous_refresh: 'true',
  })
  const again = connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' })
  expect(await failureOf(again)).toMatchObject({ errorClass: 'invalid' })
})

test('rejects a login without a required scope, and names it; secret boards are optional', async () => {
  const connectWith = async (scope: string) => {
    const { code } = await letIn()
    const body = { access_token: 'x', expires_in: 100, scope }
    fault({ fault: 'status', status: 200, operation: 'login', body })
    fault({ fault: 'status', status: 200, operation: 'profile', body: { id: '1', username: 'bea' } })
    return connector.connect(site.ctx(), { code, redirectUri, codeVerifier: 'unused' })
  }
  const error = await failureOf(connectWith('boards:read,boards:write,pins:read,user_accounts:read'))
  expect(error).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining('(pins:write)') })
  platforms.faults.clear()
  const [connection] = await connectWith('boards:read boards:write pins:read pins:write user_accounts:read')
  expect(connection).toMatchObject({ username: 'bea', displayName: 'bea', profileImageUrl: null })
})

test('a refresh rotates both tokens, and the old ones fail', async () => {
  const connection = await connect()
  const account = accountOf(connection)
  site.pass(29 * 86_400_000)
  const fresh = await connector.refresh?.(site.ctx(), account)
  expect(fresh).toEqual({
    accessToken: expect.not.stringContaining(String(connection.credentials['accessToken'])),
    refreshToken: expect.not.stringContaining(String(connection.credentials['refreshToken'])),
    expiresAtMs: site.now() + 2_592_000_000 - 60_000,
    refreshExpiresAtMs: site.now() + 5_184_000_000 - 60_000,
  })
  expect(connector.credentialsExpireAtMs?.(fresh ?? {})).toBe(site.now() + 2_592_000_000 - 60_000)
  expect(connector.renewAtMs?.(fresh ?? {})).toBe(site.now() + 2_592_000_000 - 60_000)
  const spent = await failureOf(connector.refresh?.(site.ctx(), account) ?? Promise.resolve())
  expect(spent).toMatchObject({ errorClass: 'auth' })
  await fetchBoards(site.ctx(), { ...account, credentials: fresh ?? {} })
  expect(await failureOf(fetchBoards(site.ctx(), account))).toMatchObject({ errorClass: 'auth' })
})

test('lists all boards except ad-only ones, with a URL where the name is plain', async () => {
  const account = accountOf(await connect())
  expect(await fetchBoards(site.ctx(), account)).toEqual([
    {
      id: '549755885171',
      name: 'Summer recipes',
      url: 'https://www.pinterest.com/bea_bakes/summer-recipes/',
      privacy: 'PUBLIC',
    },
    { id: '549755885172', name: 'Für später', privacy: 'PUBLIC' },
    {
      id: '549755885173',
      name: 'Gift ideas',
      url: 'https://www.pinterest.com/bea_bakes/gift-ideas/',
      privacy: 'SECRET',
    },
  ])
  const calls = platforms.calls().filter(({ operation }) => operation === 'boards')
  expect(calls.map(({ query }) => query)).toEqual(['page_size=250', expect.stringMatching(/^page_size=250&bookmark=./)])
})

test('creates a board once, and rejects a taken name with Pinterest’s message', async () => {
  const account = accountOf(await connect())
  const board = await createBoard(site.ctx(), account, { name: 'Bread', privacy: 'SECRET' })
  expect(board).toMatchObject({ name: 'Bread', privacy: 'SECRET', url: 'https://www.pinterest.com/bea_bakes/bread/' })
  const made = platforms.calls().at(-1)
  expect([made?.method, made?.path, String(made?.body)]).toEqual([
    'POST',
    '/v5/boards',
    '{"name":"Bread","privacy":"SECRET"}',
  ])
  expect(await fetchBoards(site.ctx(), account)).toContainEqual(board)
  const error = await failureOf(createBoard(site.ctx(), account, { name: 'bread', privacy: 'PUBLIC' }))
  expect(error.message).toBe('Pinterest rejected the request: The board name is invalid or duplicated.')
})
