import { afterAll, beforeEach, expect, test } from 'vitest'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { parseMultipart } from '../../infra/local/platforms/multipart.ts'
import { redditSeed } from '../../infra/local/platforms/reddit.ts'
import type { OutgoingPost, PlatformCall, UnsettledAttempt } from '../../shared/platforms/platform.ts'
import { subredditName } from '../../shared/platforms/reddit/card.ts'
import { reddit as connector } from '../../shared/platforms/reddit/connect.ts'
import { reddit } from '../../shared/platforms/reddit/index.ts'
import { checkRequirements } from '../../shared/platforms/reddit/requirements.ts'
import { fetchFlairs, fetchRequirements } from '../../shared/platforms/reddit/subreddit.ts'
import { checkPost } from '../../shared/platforms/rules.ts'
import { accountOf, failureOf, png, startSite } from './site.ts'

const site = await startSite()
const { platforms } = site
const { app, people, subreddits } = redditSeed
const [writer] = people
const [plain, editable] = subreddits.find(({ name }) => name === 'flaired')?.flairs ?? []
const flairId = plain?.id ?? ''
const base = { subreddit: 'test', title: 'A cake in May', kind: 'self' } as const
const minute = 60_000

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

const redirectUri = 'https://service.test/api/social-accounts/connect/reddit/callback'

/** Says yes on Reddit's page; answers the address it opened and the code it gave. */
async function letIn() {
  const address = await connector.authorizeUrl(site.ctx(), { state: 'the-state', challenge: 'unused', redirectUri })
  const body = new URLSearchParams({ answer: 'allow', person: writer.id })
  const sentBack = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  return {
    address: new URL(address),
    code: new URL(sentBack.headers.get('location') ?? '').searchParams.get('code') ?? '',
  }
}

const connect = async () => {
  const { code } = await letIn()
  const [connection] = await connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })
  if (!connection) throw new Error('expected a connection')
  return connection
}

async function open(metadata: object = {}, post: Partial<OutgoingPost> = {}): Promise<PlatformCall> {
  const connection = await connect()
  const account = { ...accountOf(connection), username: connection.username }
  return { ctx: site.ctx(), account, post: site.post({ metadata: { ...base, ...metadata }, ...post }) }
}

async function prepared(call: PlatformCall) {
  const done = await reddit.prepare?.(call, undefined)
  if (!done || !('ready' in done)) throw new Error('expected to be ready')
  return done.ready
}

const publish = async (call: PlatformCall) => reddit.commit(call, await prepared(call), 'unused', undefined)

const armed = async (call: PlatformCall): Promise<UnsettledAttempt> => ({
  clientKey: 'unused',
  ref: await prepared(call),
  armedAtMs: site.now(),
})

const sent = (operation: string) => platforms.calls().filter((call) => call.operation === operation)
const formOf = (operation: string, n = -1) =>
  Object.fromEntries(new URLSearchParams(String(sent(operation).at(n)?.body)))

function fault(more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) {
  platforms.faults.add({ platform: 'reddit', operation: 'create', times: 1, ...more })
}
const posted = (code: string, words: string, more: object = {}) =>
  ({ fault: 'status', status: 200, body: { json: { ...more, errors: [[code, words, 'field']] } } }) as const

test('a text is one form, with the name of the service and everything as it is', async () => {
  const call = await open({ subreddit: '/r/test' }, { text: 'Eggs & <flour>' })
  const { id, url } = await publish(call)
  expect(sent('create')).toMatchObject([
    {
      method: 'POST',
      path: '/api/submit',
      query: 'raw_json=1',
      headers: {
        authorization: `bearer ${call.account.credentials['accessToken']}`,
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': expect.stringMatching(/^server:social-publishing-service:0\.1\.0 \(by \/u\/[\w-]+\)$/),
      },
    },
  ])
  expect(formOf('create')).toEqual({
    api_type: 'json',
    kind: 'self',
    sr: 'test',
    title: 'A cake in May',
    text: 'Eggs & <flour>',
    sendreplies: 'true',
    nsfw: 'false',
    spoiler: 'false',
    resubmit: 'false',
    validate_on_submit: 'true',
  })
  expect(id).toMatch(/^t3_/)
  expect(url).toBe(`https://www.reddit.com/r/test/comments/${id?.slice(3)}/a_cake_in_may/`)
  expect(platforms.published()).toMatchObject([
    { account: 'u/demo_writer in r/test', text: 'A cake in May\n\nEggs & <flour>', url },
  ])
})

test('a link with its flair and its marks', async () => {
  const metadata = {
    ...{ subreddit: 'flaired', kind: 'link', url: 'https://example.com/cake', flairId, flairText: 'Discussion' },
    ...{ nsfw: true, spoiler: true, sendReplies: false, resubmit: true },
  }
  await publish(await open(metadata, { text: '' }))
  expect(formOf('create')).toEqual({
    api_type: 'json',
    kind: 'link',
    sr: 'flaired',
    title: 'A cake in May',
    url: 'https://example.com/cake',
    sendreplies: 'false',
    nsfw: 'true',
    spoiler: 'true',
    resubmit: 'true',
    validate_on_submit: 'true',
    flair_id: flairId,
    flair_text: 'Discussion',
  })
})

test('a picture is leased, laid down as a form, then submitted, and found among the own posts', async () => {
  const media = [await site.file({ originalFilename: 'my cake.png' })]
  const call = await open({ kind: 'image' }, { text: '', media })
  const ref = await prepared(call)
  expect(formOf('lease')).toEqual({ api_type: 'json', filepath: 'file.png', mimetype: 'image/png' })
  const [upload] = sent('upload')
  expect(upload).toMatchObject({ method: 'POST', path: '/bucket', status: 201 })
  expect(upload?.headers['authorization']).toBeUndefined()
  expect(upload?.headers['content-length']).toBe(String(upload?.body.length))
  const parts = parseMultipart(upload?.headers['content-type'] ?? '', upload?.body ?? Buffer.alloc(0))
  expect(parts.map(({ name }) => name)).toEqual([
    'acl',
    'key',
    'Content-Type',
    'policy',
    'success_action_status',
    'file',
  ])
  expect(parts.at(-1)).toMatchObject({ filename: 'file.png', type: 'image/png', bytes: png })
  expect(platforms.published()).toEqual([])

  const landed = await reddit.commit(call, ref, 'unused', undefined)
  const { url, ...rest } = formOf('create')
  expect(url).toMatch(new RegExp(`^${platforms.urls['reddit']}/bucket/rte_media/[0-9a-f]{16}$`))
  expect(rest).not.toHaveProperty('text')
  expect(
    platforms
      .calls()
      .slice(-3)
      .map(({ operation }) => operation),
  ).toEqual(['create', 'read', 'read'])
  expect(sent('read')[0]).toMatchObject({ path: '/user/demo_writer/submitted', query: 'raw_json=1&limit=25&sort=new' })
  const [shown] = platforms.published()
  expect(landed).toEqual({ id: expect.stringMatching(/^t3_/), url: shown?.url })
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer())).toEqual(png)
})

test('a film goes up with the image that stands for it, and may be in work for ten minutes', async () => {
  const media = [await site.file({ mimeType: 'video/quicktime', originalFilename: 'cake.mov' })]
  const poster = await site.file()
  const call = await open(
    { kind: 'video', posterMediaAssetId: 'asset' },
    { media, assets: { posterMediaAssetId: poster } },
  )
  const attempt = await armed(call)
  expect(
    sent('lease')
      .map(({ body }) => new URLSearchParams(String(body)).get('filepath'))
      .sort(),
  ).toEqual(['file.mov', 'file.png'])
  fault({ fault: 'status', status: 200, operation: 'read', times: 2, body: { data: { children: [] } } })
  expect(await failureOf(reddit.commit(call, attempt.ref, 'unused', undefined))).toMatchObject({
    errorClass: 'unknown',
  })
  const { url, video_poster_url } = formOf('create')
  expect([url, video_poster_url]).toEqual([expect.stringContaining('/bucket/'), expect.stringContaining('/bucket/')])
  expect(url).not.toBe(video_poster_url)
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'unclear' })
  expect(await reddit.probe(call, attempt)).toMatchObject({ kind: 'landed', url: platforms.published()[0]?.url })
})

test('a film that has not appeared after ten minutes was refused', async () => {
  const media = [await site.file({ mimeType: 'video/mp4' })]
  const call = await open({ kind: 'video' }, { media, assets: { posterMediaAssetId: await site.file() } })
  const attempt = await armed(call)
  site.pass(10 * minute - 1)
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'unclear' })
  site.pass(1)
  const settled = await reddit.probe(call, attempt)
  expect(settled).toMatchObject({ kind: 'refused', error: { errorClass: 'invalid' } })
})

test('a picture that has not appeared after ten minutes is sent again', async () => {
  const call = await open({ kind: 'image' }, { media: [await site.file()] })
  const attempt = await armed(call)
  site.pass(10 * minute - 1)
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'unclear' })
  site.pass(1)
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'absent' })
})

test('what Reddit cannot take as a file is refused before the moment', async () => {
  expect(await failureOf(publish(await open({ kind: 'image' })))).toMatchObject({ errorClass: 'invalid' })
  const media = [await site.file({ mimeType: 'video/mp4' })]
  expect(await failureOf(publish(await open({ kind: 'video' }, { media })))).toMatchObject({ errorClass: 'invalid' })
  const large = [await site.file({}, Buffer.alloc(20_971_521))]
  const error = await failureOf(publish(await open({ kind: 'image' }, { media: large })))
  expect(error).toMatchObject({ errorClass: 'invalid', facts: { code: 'EntityTooLarge' } })
  expect(sent('create')).toEqual([])
})

test('a bucket in trouble is only tried again; one that is not Reddit’s gets nothing', async () => {
  const call = await open({ kind: 'image' }, { media: [await site.file()] })
  fault({ fault: 'status', status: 403, operation: 'upload', body: '<Error><Code>AccessDenied</Code></Error>' })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
  const args = { action: '//evil.test/bucket', fields: [{ name: 'key', value: 'k' }] }
  fault({ fault: 'status', status: 200, operation: 'lease', body: { args } })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient', facts: { operator: true } })
  fault({
    fault: 'status',
    status: 200,
    operation: 'lease',
    body: { args: { action: '//evil.test/bucket', fields: [] } },
  })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
  const own = {
    action: `${platforms.urls['reddit']?.replace('http:', '')}/bucket`,
    fields: [{ name: 'acl', value: 'x' }],
  }
  fault({ fault: 'status', status: 200, operation: 'lease', body: { args: own } })
  const nowhere = await failureOf(prepared(call))
  expect(nowhere.message).toBe('Reddit named no place for the file.')
  expect(sent('upload')).toHaveLength(1)
})

const validation = (reason: string) => ({
  fault: 'status' as const,
  status: 400,
  body: { fields: ['title'], explanation: 'Say it otherwise.', message: 'Bad Request', reason, error_type: 'x' },
})

test.each([
  ['a dead token', { fault: 'token_revoked' }, 'auth', { httpStatus: 401 }],
  ['USER_REQUIRED', posted('USER_REQUIRED', 'please log in'), 'auth', { code: 'USER_REQUIRED' }],
  ['RATELIMIT with seconds', posted('RATELIMIT', 'x', { ratelimit: 534.2 }), 'rate', { retryAfterSeconds: 534.2 }],
  [
    'RATELIMIT in words',
    posted('RATELIMIT', 'Take a break for 8 minutes before trying again.'),
    'rate',
    { retryAfterSeconds: 480 },
  ],
  ['RATELIMIT without a time', posted('SUBREDDIT_RATELIMIT', 'Slow down.'), 'rate', { retryAfterSeconds: 600 }],
  ['QUOTA_FILLED', posted('QUOTA_FILLED', 'enough'), 'rate', { retryAfterSeconds: 3600 }],
  ['ALREADY_SUB', posted('ALREADY_SUB', 'seen'), 'duplicate', { code: 'ALREADY_SUB' }],
  ['a ban', posted('BANNED_FROM_SUBREDDIT', 'no'), 'invalid', { code: 'BANNED_FROM_SUBREDDIT' }],
  ['a name nobody knows', posted('BRAND_NEW', 'Something new.'), 'invalid', { detail: 'Something new.' }],
  [
    'a rule of the subreddit',
    validation('SUBMIT_VALIDATION_REGEX_REQUIREMENT'),
    'invalid',
    { detail: 'Say it otherwise.' },
  ],
  [
    'a closed subreddit',
    { fault: 'status', status: 403, body: { message: 'Forbidden', error: 403, reason: 'private' } },
    'invalid',
    { code: 'private' },
  ],
  ['404', { fault: 'status', status: 404 }, 'invalid', { httpStatus: 404 }],
  ['429', { fault: 'rate_limited', retryAfterSeconds: 41 }, 'rate', { retryAfterSeconds: 41 }],
  ['403 as a page', { fault: 'status', status: 403, body: '<html>' }, 'transient', { httpStatus: 403 }],
  ['500', { fault: 'status', status: 500 }, 'unknown', { httpStatus: 500 }],
  ['503 as a page', { fault: 'html_503' }, 'unknown', { httpStatus: 503 }],
  ['a lost answer', { fault: 'landed_then_reset' }, 'unknown', { detail: 'reset' }],
  ['another shape', { fault: 'wrong_json' }, 'unknown', { httpStatus: 200 }],
] as const)('the create meets %s', async (_, script, errorClass, facts) => {
  const call = await open()
  fault(script)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass, facts })
  expect(sent('create')).toHaveLength(1)
})

test('the same link twice is refused, unless it is asked for', async () => {
  const call = await open({ kind: 'link', url: 'https://example.com/' })
  await publish(call)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'duplicate' })
  await publish({
    ...call,
    post: { ...call.post, metadata: { ...base, kind: 'link', url: 'https://example.com/', resubmit: true } },
  })
  expect(platforms.published()).toHaveLength(2)
})

test('a probe finds its own post by subreddit, title and time', async () => {
  const call = await open({ subreddit: 'r/Test' })
  await publish(call)
  site.pass(2 * minute)
  const attempt = await armed(call)
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  await failureOf(publish(call))
  const found = await reddit.probe(call, attempt)
  expect(found).toMatchObject({ kind: 'landed', url: platforms.published()[1]?.url })
  const changed = { ...call, post: { ...call.post, metadata: { ...base, title: 'new' } } }
  expect(await reddit.probe(changed, attempt)).toEqual(found)
})

test('a probe that cannot see enough is unclear, and another post is not ours', async () => {
  const call = await open()
  const attempt = await armed(call)
  const now = site.now() / 1000
  const ours = { name: 't3_9', title: base.title, subreddit: 'TEST', permalink: '/r/test/9/', created_utc: now }
  const probe = (...posts: object[]) => {
    const body = { data: { children: posts.map((data) => ({ data })) } }
    fault({ fault: 'status', status: 200, operation: 'read', body })
    return reddit.probe(call, attempt)
  }
  expect(await probe(ours)).toEqual({ kind: 'landed', id: 't3_9', url: 'https://www.reddit.com/r/test/9/' })
  const others = [{ title: 'A cake in may' }, { subreddit: 'cakes' }, { created_utc: now - 61 }]
  for (const other of others) expect(await probe({ ...ours, ...other })).toEqual({ kind: 'absent' })
  const full = Array(25).fill({ ...ours, title: 'another' })
  expect(await probe(...full)).toEqual({ kind: 'unclear' })
  expect(await probe(...full.slice(1), { ...ours, title: 'old', created_utc: now - 100 })).toEqual({ kind: 'absent' })
  fault({ fault: 'html_503', operation: 'read' })
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'unclear' })
})

test('a person lets the service in: the address, the exchange, the profile', async () => {
  const { address, code } = await letIn()
  expect(address.pathname).toBe('/api/v1/authorize')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: app.clientId,
    response_type: 'code',
    state: 'the-state',
    redirect_uri: redirectUri,
    duration: 'permanent',
    scope: 'identity submit read flair history',
  })
  expect(await connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })).toEqual([
    {
      platform: 'reddit',
      providerName: 'Reddit',
      externalId: 'demo1',
      username: 'demo_writer',
      displayName: 'demo_writer',
      profileImageUrl: 'https://styles.redditmedia.com/demo1.png',
      credentials: {
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        expiresAtMs: site.now() + 86_400_000 - 60_000,
      },
      details: {},
    },
  ])
  const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`
  const headers = { authorization: basic, 'user-agent': expect.stringContaining('(by /u/') }
  expect(sent('login')).toMatchObject([{ path: '/api/v1/access_token', headers }])
  expect(formOf('login')).toEqual({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
  const again = connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })
  expect(await failureOf(again)).toMatchObject({ errorClass: 'invalid' })
})

test('an unticked right or a suspended account connects nothing', async () => {
  const connectWith = async (scope: string, me: object = {}) => {
    const { code } = await letIn()
    fault({ fault: 'status', status: 200, operation: 'login', body: { access_token: 'x', scope } })
    fault({ fault: 'status', status: 200, operation: 'profile', body: { id: '1', name: 'a', ...me } })
    return failureOf(connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' }))
  }
  expect((await connectWith('identity submit read flair')).message).toContain('(history)')
  platforms.faults.clear()
  expect((await connectWith('identity submit read flair history', { is_suspended: true })).message).toContain(
    'suspended',
  )
})

test('a refresh keeps the refresh token; after a revocation it is dead', async () => {
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

test('flairs of a subreddit, without those for moderators; none where they are off', async () => {
  const { ctx, account } = await open()
  expect(await fetchFlairs(ctx, account, 'flaired')).toEqual([
    { id: flairId, text: 'Discussion', textEditable: false },
    { id: editable?.id, text: 'Your own words', textEditable: true },
  ])
  expect(sent('flairs')[0]).toMatchObject({ path: '/r/flaired/api/link_flair_v2', query: 'raw_json=1' })
  fault({ fault: 'status', status: 403, operation: 'flairs' })
  expect(await fetchFlairs(ctx, account, 'flaired')).toHaveLength(2)
  expect(formOf('flairSelector')).toEqual({ is_newlink: 'true' })
  expect(await fetchFlairs(ctx, account, 'test')).toEqual([])
  const gone = await failureOf(fetchFlairs(ctx, account, 'nowhere'))
  expect(gone).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining('does not exist') })
  expect(await failureOf(fetchRequirements(ctx, account, 'closed'))).toMatchObject({ errorClass: 'invalid' })
})

const judge = async (metadata: object, text?: string) => {
  const { ctx, account } = await open()
  const post = { ...base, subreddit: 'strict', title: '[Recipe] A cake in May', ...metadata }
  const rules = await fetchRequirements(ctx, account, subredditName(post.subreddit))
  return checkRequirements(post, text, rules).map(({ code, message }) => `${code} ${message}`)
}

test('what a subreddit demands of a title', async () => {
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

test('what a subreddit demands of texts, links and flairs', async () => {
  expect(await judge({}, '')).toEqual([expect.stringContaining('content_empty')])
  expect(await judge({}, 'x'.repeat(19))).toEqual([expect.stringContaining('body of at least 20')])
  expect(await judge({}, 'x'.repeat(20))).toEqual([])
  expect(await judge({ kind: 'link', url: 'https://www.example.com/a' }, '')).toEqual([])
  expect(await judge({ kind: 'link', url: 'https://notexample.com/a' })).toEqual([
    expect.stringContaining('notexample.com'),
  ])
  const flaired = { subreddit: 'r/flaired', title: 'A cake' }
  expect(await judge(flaired)).toEqual([expect.stringMatching(/^flair_required r\/flaired wants a flair/)])
  expect(await judge({ ...flaired, flairId })).toEqual([])
})

const file = (more: object = {}) => ({
  id: 'm',
  storageKey: 'k',
  mimeType: 'image/png',
  fileSize: 1000,
  originalFilename: 'a.png',
  ...more,
})
const check = (metadata: object, content = '', media: readonly object[] = [], assets = {}) =>
  checkPost(reddit, {
    socialAccountId: 'acc',
    content,
    metadata: { ...base, ...metadata },
    media: media.map(file),
    assets,
  }).map(({ code }) => code)

test.each([
  ['a title', 'title', '漢', 300, ['metadata_invalid']],
  ['a title beyond the first plane', 'title', '😀', 300, ['metadata_invalid']],
  ['a body', 'body', '😀', 40_000, ['content_length', 'metadata_invalid']],
  ['the text of a flair', 'flairText', '😀', 64, ['metadata_invalid']],
] as const)('%s: one below, at and above the limit', (_, field, letter, limit, codes) => {
  expect(check({ [field]: letter.repeat(limit - 1) })).toEqual([])
  expect(check({ [field]: letter.repeat(limit) })).toEqual([])
  expect(check({ [field]: letter.repeat(limit + 1) })).toEqual(codes)
})

test('the content is the text where the block has none', () => {
  expect(check({}, 'x'.repeat(40_000))).toEqual([])
  expect(check({}, 'x'.repeat(40_001))).toEqual(['content_length'])
  expect(check({ body: 'short' }, 'x'.repeat(40_001))).toEqual([])
})

test('names of subreddits, titles and addresses', () => {
  for (const subreddit of ['ab', 'r/ab', '/r/AskReddit', 'u_some-one', 'x'.repeat(24)])
    expect(check({ subreddit })).toEqual([])
  for (const subreddit of ['a', 'x'.repeat(25), 'ask reddit', 'r/', '']) {
    expect(check({ subreddit })).toEqual(['metadata_invalid'])
  }
  for (const title of ['', ' ', 'two\nlines']) expect(check({ title })).toEqual(['metadata_invalid'])
  const link = (length: number) => `https://a.test/${'x'.repeat(length - 15)}`
  expect(check({ kind: 'link', url: link(2047) })).toEqual([])
  expect(check({ kind: 'link', url: link(2048) })).toEqual([])
  expect(check({ kind: 'link', url: link(2049) })).toEqual(['metadata_invalid'])
  expect(check({ kind: 'link', url: 'ftp://a.test' })).toEqual(['metadata_invalid'])
  expect(check({ kind: 'link' })).toEqual(['metadata_invalid'])
  expect(check({ kind: 'gallery' })).toEqual(['metadata_invalid'])
})

test('each kind has its own media', () => {
  const film = { mimeType: 'video/mp4' }
  const poster = { posterMediaAssetId: file() }
  const video = { kind: 'video', posterMediaAssetId: 'asset' }
  expect(check({ kind: 'image' }, '', [{}])).toEqual([])
  expect(check({ kind: 'image' })).toEqual(['media_count'])
  expect(check({ kind: 'image' }, '', [{}, {}])).toContain('media_count')
  expect(check({ kind: 'image' }, '', [film])).toContain('media_type')
  expect(check({ kind: 'image' }, '', [{ fileSize: 50_000_000 }])).toEqual([])
  expect(check({ kind: 'image' }, '', [{ fileSize: 50_000_001 }])).toEqual(['media_size'])
  expect(check(video, '', [film], poster)).toEqual([])
  expect(check({ kind: 'video' }, '', [film])).toEqual(['metadata_invalid'])
  expect(check(video, '', [film], { posterMediaAssetId: file(film) })).toEqual(['media_type'])
  expect(check(video, '', [{ ...film, fileSize: 999_999_999 }], poster)).toEqual([])
  expect(check(video, '', [{ ...film, fileSize: 1_000_000_000 }], poster)).toEqual([])
  expect(check(video, '', [{ ...film, fileSize: 1_000_000_001 }], poster)).toEqual(['media_size'])
  expect(check(video, '', [{ ...film, durationMs: 899_999 }], poster)).toEqual([])
  expect(check(video, '', [{ ...film, durationMs: 900_000 }], poster)).toEqual([])
  expect(check(video, '', [{ ...film, durationMs: 900_001 }], poster)).toEqual(['media_duration'])
  expect(check({ kind: 'self' }, '', [{}])).toEqual(['media_count'])
  expect(check({ kind: 'link', url: 'https://a.test' }, '', [film])).toEqual(['media_count'])
})
