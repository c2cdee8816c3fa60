import { afterAll, beforeEach, expect, test } from 'vitest'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { pinterestSeed } from '../../infra/local/platforms/pinterest.ts'
import { createBoard, fetchBoards } from '../../shared/platforms/pinterest/boards.ts'
import { pinterest as connector } from '../../shared/platforms/pinterest/connect.ts'
import { pinterest } from '../../shared/platforms/pinterest/index.ts'
import type { OutgoingPost, PlatformCall, UnsettledAttempt } from '../../shared/platforms/platform.ts'
import { checkPost } from '../../shared/platforms/rules.ts'
import { accountOf, failureOf, png, startSite } from './site.ts'

const site = await startSite()
const { platforms } = site
const { app, people } = pinterestSeed
const [bea, otto] = people
const boardId = '549755885171'
const metadata = { boardId, title: 'Lemon cake', description: 'A cake for hot days', link: 'https://bea.example/cake' }
const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

const redirectUri = 'https://service.test/api/social-accounts/connect/pinterest/callback'

/** Says yes on Pinterest's page; answers the address it opened and the code it gave. */
async function letIn(person: { id: string } = bea) {
  const address = await connector.authorizeUrl(site.ctx(), { state: 'the-state', challenge: 'unused', redirectUri })
  const body = new URLSearchParams({ answer: 'allow', person: person.id })
  const sentBack = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  return {
    address: new URL(address),
    code: new URL(sentBack.headers.get('location') ?? '').searchParams.get('code') ?? '',
  }
}

const connect = async (person?: { id: string }) => {
  const { code } = await letIn(person)
  const [connection] = await connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })
  if (!connection) throw new Error('expected a connection')
  return connection
}

async function open(post: Partial<OutgoingPost> = {}): Promise<PlatformCall> {
  const account = accountOf(await connect())
  const media = [await site.file({ altText: 'a dot' })]
  const text = metadata.description
  return { ctx: site.ctx(), account, post: site.post({ text, metadata, media, ...post }) }
}

async function prepared(call: PlatformCall) {
  const done = await pinterest.prepare?.(call, undefined)
  if (!done || !('ready' in done)) throw new Error('expected to be ready')
  return done.ready
}

async function publish(call: PlatformCall) {
  const ref = await prepared(call)
  return pinterest.commit(call, ref, 'unused', await pinterest.build?.(call, ref))
}

const armed = async (call: PlatformCall): Promise<UnsettledAttempt> => ({
  clientKey: 'unused',
  ref: await prepared(call),
  armedAtMs: site.now(),
})

const creates = () => platforms.calls().filter(({ operation }) => operation === 'create')
const sent = () => JSON.parse(String(creates().at(-1)?.body))

function fault(more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) {
  platforms.faults.add({ platform: 'pinterest', operation: 'create', times: 1, ...more })
}

test('a small PNG goes inside the one call, with all its fields', async () => {
  const call = await open()
  const { id, url } = await publish(call)
  expect(creates()).toMatchObject([
    {
      method: 'POST',
      path: '/v5/pins',
      query: '',
      headers: {
        authorization: `Bearer ${call.account.credentials['accessToken']}`,
        'content-type': 'application/json',
      },
    },
  ])
  expect(sent()).toEqual({
    board_id: '549755885171',
    title: 'Lemon cake',
    description: 'A cake for hot days',
    link: 'https://bea.example/cake',
    alt_text: 'a dot',
    media_source: { source_type: 'image_base64', content_type: 'image/png', data: png.toString('base64') },
  })
  expect(url).toBe(`https://www.pinterest.com/pin/${id}/`)
  const [shown] = platforms.published()
  expect(shown).toMatchObject({ account: 'bea_bakes / Summer recipes', text: 'Lemon cake\n\nA cake for hot days', url })
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer())).toEqual(png)
})

test.each([
  ['another type', { mimeType: 'image/gif' }, Buffer.from('47494638396101000100', 'hex')],
  ['a PNG too large for the call', { fileSize: 10_000_001 }, png],
])('%s is loaded by Pinterest from its public address', async (_, more, bytes) => {
  const media = [await site.file(more, bytes)]
  const call = await open({ media })
  await publish(call)
  expect(sent().media_source).toEqual({
    source_type: 'image_url',
    url: `${call.ctx.env('MEDIA_URL')}/${media[0]?.storageKey}`,
  })
  const [shown = ''] = platforms.published()[0]?.media ?? []
  expect(Buffer.from(await (await fetch(shown)).arrayBuffer())).toEqual(bytes)
})

test('an image of exactly 10 MB still goes inside', async () => {
  const call = await open({ media: [await site.file({ fileSize: 10_000_000 })] })
  await publish(call)
  expect(sent().media_source.source_type).toBe('image_base64')
})

test('what is empty is left out; a long description of the picture is cut between characters', async () => {
  const media = [await site.file({ altText: `${'é'.repeat(499)}😀 and more` })]
  await publish(await open({ text: '', metadata: { boardId, title: '', description: '' }, media }))
  expect(Object.keys(sent())).toEqual(['board_id', 'alt_text', 'media_source'])
  expect(sent().alt_text).toBe(`${'é'.repeat(499)}😀`)
})

test('an address that Pinterest cannot load is tried again', async () => {
  const file = await site.file({ mimeType: 'image/gif' })
  const error = await failureOf(publish(await open({ media: [{ ...file, storageKey: 'media/gone' }] })))
  expect(error).toMatchObject({ errorClass: 'transient', message: 'Pinterest could not load the image.' })
})

test.each([
  ['a refused token', { fault: 'token_revoked' }, 'auth', { httpStatus: 401 }],
  [
    'trial access',
    { fault: 'status', status: 403, body: { code: 29, message: 'Apps with Trial access may not create Pins.' } },
    'permission',
    { operator: true },
  ],
  [
    'a board that is gone',
    { fault: 'status', status: 404, body: { code: 40, message: 'Board not found.' } },
    'invalid',
    { code: '40' },
  ],
  [
    'bad parameters',
    { fault: 'status', status: 400, body: { code: 1, message: 'Invalid request parameter.' } },
    'invalid',
    { detail: 'Invalid request parameter.' },
  ],
  ['429', { fault: 'rate_limited', retryAfterSeconds: 41.2 }, 'rate', { retryAfterSeconds: 42 }],
  [
    'spam',
    { fault: 'status', status: 429, body: { code: 8, message: 'This looks like spam.' } },
    'rate',
    { retryAfterSeconds: 3600 },
  ],
  ['403 as a page', { fault: 'status', status: 403, body: '<html>' }, 'transient', { httpStatus: 403 }],
  ['500', { fault: 'status', status: 500 }, 'unknown', { httpStatus: 500 }],
  ['503 as a page', { fault: 'html_503' }, 'unknown', { httpStatus: 503 }],
  ['a lost answer', { fault: 'landed_then_reset' }, 'unknown', { detail: 'reset' }],
  ['another shape', { fault: 'wrong_json' }, 'unknown', { httpStatus: 200 }],
] as const)('the create meets %s', async (_, script, errorClass, facts) => {
  const call = await open()
  fault(script)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass, facts })
  expect(creates()).toHaveLength(1)
})

test('"not permitted" is the board, unless the account cannot be read any more', async () => {
  const call = await open({ metadata: { ...metadata, boardId: '549755885175' } })
  const refused = await failureOf(publish(call))
  expect(refused).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining('choose another one') })
  fault({ fault: 'token_revoked', operation: 'profile' })
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'auth' })
})

test('a probe finds its own Pin by its fields and its time, over short pages', async () => {
  const call = await open()
  await publish(call)
  site.pass(120_000)
  const attempt = await armed(call)
  expect(await pinterest.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  await failureOf(publish(call))
  const [, landed] = platforms.published()
  for (let n = 0; n < 51; n += 1) await publish({ ...call, post: { ...call.post, text: `other ${n}` } })
  const found = await pinterest.probe(call, attempt)
  expect(found).toMatchObject({ kind: 'landed', url: landed?.url })
  // What the post has become since does not matter.
  const changed = { ...call, post: { ...call.post, text: 'new', metadata: { ...metadata, title: 'new' } } }
  expect(await pinterest.probe(changed, attempt)).toEqual(found)
})

test('a probe that cannot see enough is unclear', async () => {
  const call = await open()
  const attempt = await armed(call)
  const read = (body: unknown) => fault({ fault: 'status', status: 200, operation: 'read', times: 5, body })
  const ours = { id: '5', ...metadata, created_at: new Date(site.now()).toISOString() }
  fault({ fault: 'status', status: 502, operation: 'read' })
  expect(await pinterest.probe(call, attempt)).toEqual({ kind: 'unclear' })
  const older = { ...ours, title: 'older', created_at: '2026-11-01T00:00:00' }
  read({ items: [{ ...older, created_at: '2026-11-21T13:00:00' }, older], bookmark: 'more' })
  expect(await pinterest.probe(call, attempt)).toEqual({ kind: 'absent' })
  platforms.faults.clear()
  // Without an order the rest may hold it.
  read({ items: [older, { ...older, created_at: '2026-11-21T13:00:00' }, older], bookmark: 'more' })
  expect(await pinterest.probe(call, attempt)).toEqual({ kind: 'unclear' })
  platforms.faults.clear()
  read({ items: [{ ...ours, created_at: null }] })
  expect(await pinterest.probe(call, attempt)).toEqual({ kind: 'unclear' })
})

test('a Pin with another title, description or link is not ours', async () => {
  const call = await open()
  const attempt = await armed(call)
  const probe = (more: object) => {
    const pin = { id: '5', ...metadata, created_at: new Date(site.now()).toISOString(), ...more }
    fault({ fault: 'status', status: 200, operation: 'read', body: { items: [pin] } })
    return pinterest.probe(call, attempt)
  }
  expect(await probe({})).toMatchObject({ kind: 'landed', id: '5' })
  for (const other of [{ title: 'x' }, { description: null }, { link: null }, { created_at: '2026-11-21T11:58:00' }]) {
    expect(await probe(other)).toEqual({ kind: 'absent' })
  }
})

test('a person lets the service in: the address, the exchange, the profile', async () => {
  const { address, code } = await letIn(otto)
  expect(address.pathname).toBe('/oauth/')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope:
      'boards:read,boards:write,pins:read,pins:write,user_accounts:read,boards:read_secret,boards:write_secret,pins:read_secret,pins:write_secret',
    state: 'the-state',
  })
  const connections = await connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })
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
  const again = connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })
  expect(await failureOf(again)).toMatchObject({ errorClass: 'invalid' })
})

test('a login without a needed right is refused and names it; a secret board is nothing that is needed', async () => {
  const connectWith = async (scope: string) => {
    const { code } = await letIn()
    const body = { access_token: 'x', expires_in: 100, scope }
    fault({ fault: 'status', status: 200, operation: 'login', body })
    fault({ fault: 'status', status: 200, operation: 'profile', body: { id: '1', username: 'bea' } })
    return connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })
  }
  const error = await failureOf(connectWith('boards:read,boards:write,pins:read,user_accounts:read'))
  expect(error).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining('(pins:write)') })
  platforms.faults.clear()
  const [connection] = await connectWith('boards:read boards:write pins:read pins:write user_accounts:read')
  expect(connection).toMatchObject({ username: 'bea', displayName: 'bea', profileImageUrl: null })
})

test('a refresh rotates both tokens, and the old ones are dead', async () => {
  const connection = await connect()
  const account = accountOf(connection)
  site.pass(29 * 86_400_000)
  const fresh = await connector.refresh?.(site.ctx(), account)
  expect(fresh).toEqual({
    accessToken: expect.not.stringContaining(String(connection.credentials['accessToken'])),
    refreshToken: expect.not.stringContaining(String(connection.credentials['refreshToken'])),
    expiresAtMs: site.now() + 2_592_000_000 - 60_000,
  })
  expect(connector.credentialsExpireAtMs?.(fresh ?? {})).toBe(site.now() + 2_592_000_000 - 60_000)
  expect(connector.renewAtMs?.(fresh ?? {})).toBe(site.now() + 2_592_000_000 - 60_000)
  const spent = await failureOf(connector.refresh?.(site.ctx(), account) ?? Promise.resolve())
  expect(spent).toMatchObject({ errorClass: 'auth' })
  await fetchBoards(site.ctx(), { ...account, credentials: fresh ?? {} })
  expect(await failureOf(fetchBoards(site.ctx(), account))).toMatchObject({ errorClass: 'auth' })
})

test('boards: page after page, without those for advertisements, with an address where the name is plain', async () => {
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
  const asked = platforms.calls().filter(({ operation }) => operation === 'boards')
  expect(asked.map(({ query }) => query)).toEqual(['page_size=250', expect.stringMatching(/^page_size=250&bookmark=./)])
})

test('a board is made once; a name that is taken is refused in the words of Pinterest', async () => {
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
  expect(error.message).toBe('Pinterest refused the request: The board name is invalid or duplicated.')
})

const picture = (more: object = {}) => ({
  id: 'm',
  storageKey: 'k',
  mimeType: 'image/png',
  fileSize: 1000,
  originalFilename: 'a.png',
  ...more,
})
const check = (block: unknown, media: readonly object[] = [{}], content = 'unused') =>
  checkPost(pinterest, { socialAccountId: 'acc', content, metadata: block, media: media.map(picture) }).map(
    ({ code }) => code,
  )

test.each([
  ['a title', 'title', 'x', 100, ['metadata_invalid']],
  ['a title beyond the first plane', 'title', '😀', 100, ['metadata_invalid']],
  ['a description', 'description', '漢', 800, ['content_length', 'metadata_invalid']],
  ['a description beyond the first plane', 'description', '😀', 800, ['content_length', 'metadata_invalid']],
] as const)('%s: one below, at and above the limit', (_, field, letter, limit, codes) => {
  expect(check({ ...metadata, [field]: letter.repeat(limit - 1) })).toEqual([])
  expect(check({ ...metadata, [field]: letter.repeat(limit) })).toEqual([])
  expect(check({ ...metadata, [field]: letter.repeat(limit + 1) })).toEqual(codes)
})

test('a link may have 2048 characters', () => {
  const link = (length: number) => `https://a.test/${'x'.repeat(length - 15)}`
  expect(check({ ...metadata, link: link(2047) })).toEqual([])
  expect(check({ ...metadata, link: link(2048) })).toEqual([])
  expect(check({ ...metadata, link: link(2049) })).toEqual(['metadata_invalid'])
  expect(check({ ...metadata, link: 'ftp://a.test' })).toEqual(['metadata_invalid'])
})

test('exactly one image of at most 50 MB, which the content does not replace', () => {
  expect(check(metadata, [])).toEqual(['media_count'])
  expect(check(metadata, [{}, {}])).toContain('media_count')
  expect(check(metadata, [{ fileSize: 49_999_999 }])).toEqual([])
  expect(check(metadata, [{ fileSize: 50_000_000 }])).toEqual([])
  expect(check(metadata, [{ fileSize: 50_000_001 }])).toEqual(['media_size'])
  expect(check(metadata, [{ mimeType: 'video/mp4' }])).toContain('media_type')
  expect(check(metadata, [{}], 'x'.repeat(5000))).toEqual([])
  expect(check(undefined)).toEqual(['metadata_required'])
  expect(check({ ...metadata, boardId: 'summer' })).toEqual(['metadata_invalid'])
  expect(check({ boardId })).toEqual(['metadata_invalid', 'metadata_invalid'])
})

test('the stand-in refuses what Pinterest itself would refuse', async () => {
  const { credentials } = await connect()
  const post = async (body: object) => {
    const headers = { authorization: `Bearer ${credentials['accessToken']}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`${platforms.urls['pinterest']}/v5/pins`, init)
    return [answer.status, JSON.parse(await answer.text()).message]
  }
  const media_source = { source_type: 'image_base64', content_type: 'image/png', data: png.toString('base64') }
  const good = { board_id: boardId, media_source }
  expect((await post(good))[0]).toBe(201)
  expect(await post({ ...good, board_id: 'x' })).toEqual([
    400,
    expect.stringContaining(`'board_id' must match pattern`),
  ])
  expect(await post({ ...good, title: 'x'.repeat(101) })).toEqual([400, expect.stringContaining("'title'")])
  expect(await post({ ...good, tiltle: 'x' })).toEqual([400, expect.stringContaining("'tiltle'")])
  expect((await post({ board_id: boardId }))[0]).toBe(400)
  expect((await post({ ...good, media_source: { source_type: 'carrier_pigeon' } }))[0]).toBe(400)
  expect((await post({ ...good, media_source: { ...media_source, content_type: 'image/jpeg' } }))[0]).toBe(400)
})
