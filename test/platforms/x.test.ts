import { createHash } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseMultipart } from '../../infra/local/pages/multipart.ts'
import { xSeed } from '../../infra/local/platforms/x/seed.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import type { ConnectedAccount } from '../../shared/platforms/account.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { tokenOf } from '../../shared/platforms/oauth.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { x as connector } from '../../shared/platforms/x/connect.ts'
import { definition } from '../../shared/platforms/x/definition.ts'
import { classifyXError } from '../../shared/platforms/x/errors.ts'
import { x } from '../../shared/platforms/x/publish.ts'
import { anyPicture } from './any-file.ts'
import { accountOf, failureOf, startSite } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const site = await startSite()
const { platforms } = site
const redirectUri = 'https://service.test/api/social-accounts/connect/x/callback'
const codeVerifier = 'a-verifier-that-only-we-know-and-that-is-long-enough'
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

beforeEach(() => platforms.reset())
afterAll(() => site.close())

const authorize = async (person?: string) => {
  const address = await connector.authorizationUrl(site.ctx(), { state: 'the-state', redirectUri, codeChallenge })
  const body = new URLSearchParams({ answer: 'allow', ...(person ? { person } : {}) })
  const { headers } = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  return { address: new URL(address), back: new URL(headers.get('location') ?? '') }
}

const connect = async (person?: string) => {
  const { back } = await authorize(person)
  const callback = { code: back.searchParams.get('code') ?? '', redirectUri, codeVerifier }
  const [connection] = await connector.connect(site.ctx(), callback)
  if (!connection) throw new Error('nothing was connected')
  return connection
}

const open = async (post: Partial<OutgoingPost> = {}, person?: string): Promise<PlatformCall> => {
  const { externalId, username, credentials, details } = await connect(person)
  return {
    ctx: site.ctx(),
    account: { ...accountOf({ externalId, credentials, details }), username },
    post: site.post(post),
  }
}

const prepared = async (call: PlatformCall) => {
  let resume: Parameters<NonNullable<typeof x.prepare>>[1]
  for (let phase = 0; phase < 10; phase += 1) {
    const done = await x.prepare?.(call, resume)
    if (done && 'ready' in done) return done.ready
    resume = done?.resume
  }
  throw new Error('never ready')
}

const publish = async (call: PlatformCall) => x.commit(call, await prepared(call), 'none', undefined)
const last = (operation: string) => platforms.calls().findLast((call) => call.operation === operation)
const json = (operation: string) => JSON.parse(String(last(operation)?.body))
const video = async (bytes: number) =>
  site.file({ mimeType: 'video/mp4', originalFilename: 'film.mp4', durationMs: 5000 }, Buffer.alloc(bytes, 1))

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
    profileImageUrl: 'https://pbs.twimg.com/profile_images/1/demo_400x400.jpg',
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

test('publishes a text with one call', async () => {
  const call = await open({ text: 'Hello https://example.com' })
  const { id, url } = await publish(call)
  expect(url).toBe(`https://x.com/demo/status/${id}`)
  expect(last('create')).toMatchObject({ method: 'POST', path: '/2/tweets', query: '' })
  expect(last('create')?.headers).toMatchObject({
    authorization: `Bearer ${call.account.credentials['accessToken']}`,
    'content-type': 'application/json',
  })
  expect(json('create')).toEqual({ text: 'Hello https://example.com' })
})

test('uploads images in order with descriptions, and publishes them by one call', async () => {
  const media = [await site.file({ altText: 'a dot' }), await site.file()]
  await publish(await open({ text: '', media }))
  const [first] = platforms.calls().filter(({ operation }) => operation === 'upload')
  expect([first?.method, first?.path]).toEqual(['POST', '/2/media/upload/initialize'])
  const { fileSize } = media[0] as MediaFile
  expect(JSON.parse(String(first?.body))).toEqual({
    media_type: 'image/png',
    total_bytes: fileSize,
    media_category: 'tweet_image',
  })
  const append = platforms.calls().find(({ operation }) => operation === 'append')
  const parts = parseMultipart(append?.headers['content-type'] ?? '', append?.body ?? Buffer.alloc(0))
  expect(parts.map(({ name, type }) => [name, type])).toEqual([
    ['segment_index', undefined],
    ['media', 'image/png'],
  ])
  expect(parts[1]?.bytes.length).toBe(fileSize)
  const { media: sent } = json('create')
  expect(json('describe')).toEqual({ id: sent.media_ids[0], metadata: { alt_text: { text: 'a dot' } } })
  expect(Object.keys(json('create'))).toEqual(['media'])
  expect(platforms.published()[0]?.media).toHaveLength(2)
})

test('uploads a video in segments, waits in phases, and never restarts', async () => {
  const file = await video(9 * 1024 * 1024)
  const call = await open({ media: [file] })
  const first = await x.prepare?.(call, undefined)
  expect(first).toMatchObject({ waitSeconds: 5, resume: { uploads: [{ state: 'processing', nextSegment: 3 }] } })
  const second = await x.prepare?.(call, first && 'resume' in first ? first.resume : undefined)
  if (!second || !('ready' in second)) throw new Error('the video is not ready')
  await x.commit(call, second.ready, 'none', undefined)
  expect(platforms.calls().filter(({ operation }) => operation === 'upload')).toHaveLength(1)
  const segments = platforms.calls().filter(({ operation }) => operation === 'append')
  expect(segments.map(({ headers }) => Math.round(Number(headers['content-length']) / 1024 / 1024))).toEqual([4, 4, 1])
  expect(platforms.published()).toHaveLength(1)
})

test('a reply names the previous tweet', async () => {
  const call = await open({ text: 'one' })
  const { id } = await publish(call)
  await publish({ ...call, post: site.post({ text: 'two', ...(id === null ? {} : { replyTo: id }) }) })
  expect(json('create')).toEqual({ text: 'two', reply: { in_reply_to_tweet_id: id } })
})

const everything = {
  poll: { options: ['Rye', 'Spelt'], durationMinutes: 1440 },
  replySettings: 'following',
  madeWithAi: true,
  paidPartnership: true,
  communityId: '1146654567674912769',
  shareWithFollowers: true,
}

test('sends a poll, who may reply, labels, and a community as X names them', async () => {
  await publish(await open({ text: 'Which one?', metadata: everything }))
  expect(json('create')).toEqual({
    text: 'Which one?',
    poll: { options: ['Rye', 'Spelt'], duration_minutes: 1440 },
    reply_settings: 'following',
    made_with_ai: true,
    paid_partnership: true,
    community_id: '1146654567674912769',
    share_with_followers: true,
  })
  expect(platforms.published()[0]?.extras).toEqual([
    'poll: Rye | Spelt (1440 min)',
    'replies: following',
    'made with AI',
    'paid partnership',
    'community: 1146654567674912769, and followers',
  ])
})

test('leaves out what is off, and of a reply what only the post that it answers has', async () => {
  const off = { madeWithAi: false, paidPartnership: false, shareWithFollowers: false, own: 1 }
  const call = await open({ text: 'one', metadata: off })
  const { id } = await publish(call)
  expect(json('create')).toEqual({ text: 'one' })
  await publish({ ...call, post: site.post({ text: 'two', metadata: everything, replyTo: id ?? '' }) })
  expect(json('create')).toEqual({
    text: 'two',
    reply: { in_reply_to_tweet_id: id },
    poll: { options: ['Rye', 'Spelt'], duration_minutes: 1440 },
    made_with_ai: true,
    paid_partnership: true,
  })
})

test('a preparation of the last release, without settings, is published', async () => {
  const call = await open({ text: 'from before' })
  await x.commit(call, { text: 'from before', mediaIds: [] }, 'none', undefined)
  expect(json('create')).toEqual({ text: 'from before' })
})

test('finds a poll after a lost response; absence from the timeline proves nothing of a community', async () => {
  for (const metadata of [{ poll: everything.poll }, { communityId: '77' }]) {
    platforms.reset()
    const call = await open({ text: 'Which one?', metadata })
    const ref = await prepared(call)
    const armed = attempt(ref)
    expect(await x.probe(call, armed)).toEqual({ kind: 'poll' in metadata ? 'absent' : 'unclear' })
    platforms.faults.add({ platform: 'x', operation: 'create', times: 1, fault: 'landed_then_reset' })
    expect(await failureOf(x.commit(call, ref, 'none', undefined))).toMatchObject({ errorClass: 'unknown' })
    expect(await x.probe(call, armed)).toMatchObject({ kind: 'published', url: platforms.published()[0]?.url })
  }
})

const attempt = (ref: object) => ({ clientKey: 'none', ref: { ...ref }, startedAtMs: site.now() })

test.each([
  'plain words',
  'links https://example.com/a/b?c=d and example.org end',
  'signs <b> & "quotes" 👋🏽 日本語',
  '  edges and\n\nlines  ',
])('finds a tweet after a lost response on the timeline: %j', async (text) => {
  const call = await open({ text, media: [await site.file()] })
  const ref = await prepared(call)
  const armed = attempt(ref)
  expect(await x.probe(call, armed)).toEqual({ kind: 'absent' })
  platforms.faults.add({ platform: 'x', operation: 'create', times: 1, fault: 'landed_then_reset' })
  expect(await failureOf(x.commit(call, ref, 'none', undefined))).toMatchObject({ errorClass: 'unknown' })
  const [live] = platforms.published()
  expect(await x.probe(call, armed)).toMatchObject({ kind: 'published', url: live?.url })
  // The same words of an hour before are another tweet.
  expect(await x.probe(call, { ...armed, startedAtMs: site.now() + 3_600_000 })).toEqual({ kind: 'absent' })
})

test.each([...transportFaults, ...lostResponses])('the create meets %s', async (_, script, errorClass, info) => {
  const call = await open()
  const ref = await prepared(call)
  platforms.faults.add({ platform: 'x', operation: 'create', times: 1, ...script })
  expect(await failureOf(x.commit(call, ref, 'none', undefined))).toMatchObject({ errorClass, info })
})

test('reads the timeline for the minutes of the attempt only', async () => {
  const call = await open({ text: 'ours' })
  const armed = attempt(await prepared(call))
  const from = new Date(site.now() - 5_000).toISOString().replace('.000Z', 'Z')
  const until = new Date(site.now() + 185_000).toISOString().replace('.000Z', 'Z')
  await x.probe(call, armed)
  const common = {
    max_results: '100',
    exclude: 'retweets',
    start_time: from,
    'post.fields': 'created_at,entities,note_post',
  }
  const asked = () => Object.fromEntries(new URLSearchParams(last('timeline')?.query))
  expect(asked()).toEqual(common)
  site.pass(3_600_000)
  await x.probe(call, armed)
  expect(asked()).toEqual({ ...common, end_time: until })
})

const Shown = z.object({
  text: z.string(),
  entities: z.object({ urls: z.array(z.object({ start: z.int(), end: z.int(), url: z.string() })) }),
})

test('the stand-in says where each link stands in its text, in code points', async () => {
  const call = await open({ text: '😀 & https://example.com/a and https://example.com/b', media: [await site.file()] })
  await publish(call)
  const address = `${platforms.urls['x']}/2/users/${call.account.externalId}/tweets?post.fields=entities`
  const answer = await fetch(address, { headers: { authorization: `Bearer ${tokenOf(call.account)}` } })
  const { data } = z.parse(z.object({ data: z.array(Shown) }), await answer.json())
  const links = data.flatMap(({ text, entities }) =>
    entities.urls.map(({ start, end, url }) => [url, [...text].slice(start, end).join('')]),
  )
  expect(links).toHaveLength(3)
  for (const [url, found] of links) expect(found).toBe(url)
})

test('finds a long tweet after a lost response by its whole text', async () => {
  const premium = xSeed.people[1]?.id
  const text = `${'All about bread & butter. '.repeat(40)}See https://example.com/bread?a=b for more`
  const call = await open({ text }, premium)
  const ref = await prepared(call)
  const armed = attempt(ref)
  platforms.faults.add({ platform: 'x', operation: 'create', times: 1, fault: 'landed_then_reset' })
  await failureOf(x.commit(call, ref, 'none', undefined))
  // Another one that begins with the same words.
  await publish({ ...call, post: site.post({ text: `${'All about bread & butter. '.repeat(40)}And cake` }) })
  const [live] = platforms.published()
  expect(await x.probe(call, armed)).toMatchObject({ kind: 'published', url: live?.url })
})

test('reads both fields of a long text, and the time from the id where there is none', async () => {
  const call = await open({ text: 'a long text' })
  const armed = attempt(await prepared(call))
  const idAt = (ms: number) => String(BigInt(ms - 1_288_834_974_657) << 22n)
  const probed = (tweet: object) => {
    const body = {
      data: [{ id: idAt(site.now()), text: 'a long… https://t.co/1', ...tweet }],
      meta: { result_count: 1 },
    }
    platforms.faults.add({ platform: 'x', operation: 'timeline', times: 1, fault: 'status', status: 200, body })
    return x.probe(call, armed)
  }
  const note = { text: 'a long text' }
  expect(await probed({ note_post: note })).toMatchObject({ kind: 'published', id: idAt(site.now()) })
  expect(await probed({ note_tweet: note, created_at: new Date(site.now()).toISOString() })).toMatchObject({
    kind: 'published',
  })
  expect(await probed({ note_post: note, id: idAt(site.now() - 60_000) })).toEqual({ kind: 'absent' })
  expect(await probed({ note_post: note, id: '77' })).toEqual({ kind: 'unclear' })
  // Neither field came: it may be the post, which is not sent again then.
  expect(await probed({})).toEqual({ kind: 'unclear' })
  expect(await probed({ text: 'a lon… https://t.co/1' })).toEqual({ kind: 'unclear' })
  expect(await probed({ text: 'another… https://t.co/1' })).toEqual({ kind: 'absent' })
  expect(await probed({ id: idAt(site.now() - 60_000) })).toEqual({ kind: 'absent' })
})

test('ignores another text on the timeline', async () => {
  const call = await open({ text: 'ours' })
  const ref = await prepared(call)
  await publish({ ...call, post: site.post({ text: 'ours, but longer' }) })
  expect(await x.probe(call, attempt(ref))).toEqual({ kind: 'absent' })
})

const problem = (detail: string, type = 'about:blank') => ({ title: 't', detail, type, status: 400 })
const at = 'https://api.twitter.com/2/problems'

test.each([
  [401, problem('Unauthorized'), {}, 'auth', {}],
  [403, problem('x', `${at}/unsupported-authentication`), {}, 'auth', {}],
  [403, problem('x', `${at}/client-forbidden`), {}, 'transient', { operator: true }],
  [403, problem('x', `${at}/user-suspended`), {}, 'permission', {}],
  [403, problem('Your account is suspended and is not permitted to access this feature.'), {}, 'permission', {}],
  [403, problem('Your account is locked'), {}, 'blocked', {}],
  [403, problem('You have been blocked from the author of this Tweet.'), {}, 'blocked', {}],
  [403, problem('You are not allowed to create a Tweet with duplicate content.'), {}, 'duplicate', {}],
  [403, problem('You are not permitted to perform this action.'), {}, 'invalid', {}],
  [403, problem('Reply to this conversation is not allowed because …'), {}, 'invalid', {}],
  [403, problem('Your account is not permitted to access this feature'), {}, 'blocked', {}],
  [400, problem('Your media IDs are invalid.'), {}, 'transient', { preparedGone: true }],
  [400, problem('bad', `${at}/invalid-request`), {}, 'invalid', {}],
  [402, problem('no credits', `${at}/credits`), {}, 'quota', { operator: true, retryAfterSeconds: 900 }],
  [402, undefined, {}, 'quota', { operator: true }],
  [429, problem('slow'), { 'x-rate-limit-reset': '1000' }, 'rate', { retryAfterSeconds: 101 }],
  [
    429,
    problem('slow'),
    { 'x-rate-limit-reset': '1000', 'x-user-limit-24hour-remaining': '0', 'x-user-limit-24hour-reset': '5000' },
    'rate',
    { retryAfterSeconds: 4101 },
  ],
  [429, undefined, {}, 'rate', { retryAfterSeconds: 60 }],
  [429, problem('x', `${at}/usage-capped`), {}, 'quota', { operator: true }],
  [403, undefined, {}, 'transient', {}],
] as const)('classifies %i %j', (status, body, headers, errorClass, info) => {
  const error = classifyXError({ status, body, headers, nowMs: 900_000 })
  expect(error).toMatchObject({ errorClass, info: { httpStatus: status, ...info } })
  expect(error.message).toMatch(/^\p{Lu}.*[.:].*/u)
})

const family = '👨‍👩‍👧‍👦'
const codes = (content: string, tier?: string, media: MediaFile[] = []) =>
  checkPost(definition, { socialAccountId: 'acc', tier, content, metadata: undefined, media }).map(({ code }) => code)

const ofMetadata = (metadata: unknown, media: MediaFile[] = []) =>
  checkPost(definition, { socialAccountId: 'acc', content: 'x', metadata, media }).map(
    ({ code, field }) => `${code} ${field}`,
  )
const poll = (options: unknown, durationMinutes: unknown = 60) => ofMetadata({ poll: { options, durationMinutes } })

test('a poll has two to four options of 1 to 25 characters, and is open for 5 to 10,080 minutes', () => {
  for (const count of [2, 3, 4]) expect(poll(Array(count).fill('x'))).toEqual([])
  for (const count of [1, 5]) expect(poll(Array(count).fill('x'))).toEqual(['metadata_invalid metadata.x.poll.options'])
  for (const length of [1, 24, 25]) expect(poll(['x', 'y'.repeat(length)])).toEqual([])
  for (const option of ['', ' ', 'y'.repeat(26), '😀'.repeat(13), 7]) {
    expect(poll(['x', option])).toEqual(['metadata_invalid metadata.x.poll.options.1'])
  }
  for (const minutes of [5, 6, 10_079, 10_080]) expect(poll(['x', 'y'], minutes)).toEqual([])
  for (const minutes of [4, 10_081, 5.5, '60', null]) {
    expect(poll(['x', 'y'], minutes)).toEqual(['metadata_invalid metadata.x.poll.durationMinutes'])
  }
})

test('a poll takes no media, followers see a post of a community only, and other fields have their forms', () => {
  const two = { poll: { options: ['x', 'y'], durationMinutes: 60 } }
  expect(ofMetadata(two, files(1))).toEqual(['metadata_invalid metadata.x.poll'])
  expect(ofMetadata({ replySettings: 'verified' }, files(1))).toEqual([])
  expect(ofMetadata({ shareWithFollowers: true })).toEqual(['metadata_invalid metadata.x.shareWithFollowers'])
  for (const good of [
    { shareWithFollowers: false },
    { communityId: '1', shareWithFollowers: true },
    { communityId: '1'.repeat(19) },
    ...['following', 'mentionedUsers', 'subscribers', 'verified'].map((replySettings) => ({ replySettings })),
    { madeWithAi: true, paidPartnership: false },
    {},
    null,
    undefined,
  ]) {
    expect(ofMetadata(good)).toEqual([])
  }
  for (const [field, values] of [
    ['communityId', ['', 'x', '1'.repeat(20), 7]],
    ['replySettings', ['everyone', '', null]],
    ['madeWithAi', ['yes', 1]],
    ['paidPartnership', [null]],
    ['shareWithFollowers', ['yes']],
    ['poll', ['x', null]],
  ] as const) {
    for (const value of values) expect(ofMetadata({ [field]: value })).toEqual([`metadata_invalid metadata.x.${field}`])
  }
})

test.each([
  ['letters', (n: number) => 'x'.repeat(n), 280],
  ['CJK, two each', (n: number) => '日'.repeat(n), 140],
  ['families, two each', (n: number) => family.repeat(n), 140],
  ['letters with a combining mark, composed', (n: number) => 'e\u0301'.repeat(n), 280],
  ['letters after a link of 23', (n: number) => `https://example.com/${'p'.repeat(80)} ${'x'.repeat(n)}`, 256],
])('%s: one below, at and above the limit', (_, make, limit) => {
  expect(codes(make(limit - 1))).toEqual([])
  expect(codes(make(limit))).toEqual([])
  expect(codes(make(limit + 1))).toEqual(['content_length'])
})

test('a premium account has 25,000 characters', () => {
  expect(codes('x'.repeat(25_000), 'premium')).toEqual([])
  expect(codes('x'.repeat(25_001), 'premium')).toEqual(['content_length'])
  expect(codes('x'.repeat(281), 'free')).toEqual(['content_length'])
})

const gif = { mimeType: 'image/gif' }
const film = { mimeType: 'video/mp4' }
const files = (count: number, more: Partial<MediaFile> = {}) => Array.from({ length: count }, () => anyPicture(more))

test.each([
  ['four pictures', files(4), []],
  ['five pictures', files(5), ['media_count']],
  ['one GIF', files(1, gif), []],
  ['two GIFs', files(2, gif), ['media_count']],
  ['a picture and a GIF', [...files(1), ...files(1, gif)], ['media_type']],
  ['a video and a picture', [...files(1, film), ...files(1)], ['media_type']],
  ['two videos', files(2, film), ['media_count']],
  ['a GIF of 15 MB', files(1, { ...gif, fileSize: 15_000_000 }), []],
  ['a GIF over it', files(1, { ...gif, fileSize: 15_000_001 }), ['media_size']],
  ['a GIF of 1280 by 1080', files(1, { ...gif, width: 1280, height: 1080 }), []],
  ['a wider GIF', files(1, { ...gif, width: 1281, height: 1080 }), ['media_dimensions']],
  ['a higher GIF', files(1, { ...gif, width: 1280, height: 1081 }), ['media_dimensions']],
  ['a GIF of 350 frames', files(1, { ...gif, width: 500, height: 500, frames: 350 }), []],
  ['a GIF of more frames', files(1, { ...gif, width: 500, height: 500, frames: 351 }), ['media_dimensions']],
  ['a GIF of 300 million pixels', files(1, { ...gif, width: 1000, height: 1000, frames: 300 }), []],
  ['a GIF of more pixels', files(1, { ...gif, width: 1000, height: 1000, frames: 301 }), ['media_dimensions']],
  ['a video of 1 GiB', files(1, { ...film, fileSize: 1_073_741_824 }), []],
  ['a video over it', files(1, { ...film, fileSize: 1_073_741_825 }), ['media_size']],
  ['a video of half a second', files(1, { ...film, durationMs: 500 }), []],
  ['a shorter video', files(1, { ...film, durationMs: 499 }), ['media_duration']],
  ['a video of 20 minutes', files(1, { ...film, durationMs: 1_200_000 }), []],
  ['a longer video', files(1, { ...film, durationMs: 1_200_001 }), ['media_duration']],
  ['a video of 1:3', files(1, { ...film, width: 100, height: 300 }), []],
  ['a narrower video', files(1, { ...film, width: 99, height: 300 }), ['media_dimensions']],
  ['a video of 3:1', files(1, { ...film, width: 300, height: 100 }), []],
  ['a broader video', files(1, { ...film, width: 301, height: 100 }), ['media_dimensions']],
])('%s: %#', (_, media, expected) => {
  expect(codes('x', 'free', media)).toEqual(expected)
})

test('rejects an account without credentials', async () => {
  const account: ConnectedAccount = accountOf({ externalId: '1', credentials: {}, details: {} })
  const call = { ctx: site.ctx(), account, post: site.post() }
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'auth' })
})
