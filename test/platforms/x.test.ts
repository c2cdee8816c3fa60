import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseMultipart } from '../../infra/local/pages/multipart.ts'
import { xSeed } from '../../infra/local/platforms/x/seed.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import type { ConnectedAccount } from '../../shared/platforms/account.ts'
import { tokenOf } from '../../shared/platforms/oauth.ts'
import { classifyXError } from '../../shared/platforms/x/errors.ts'
import { x } from '../../shared/platforms/x/publish.ts'
import { accountOf, failureOf } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'
import { visitX } from './x-visit.ts'

const { site, platforms, open, prepared, publish, last, json } = await visitX()
const video = async (bytes: number) =>
  site.file({ mimeType: 'video/mp4', originalFilename: 'film.mp4', durationMs: 5000 }, Buffer.alloc(bytes, 1))

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
  // The same text of an hour before is another tweet.
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
  const lastQuery = () => Object.fromEntries(new URLSearchParams(last('timeline')?.query))
  expect(lastQuery()).toEqual(common)
  site.pass(3_600_000)
  await x.probe(call, armed)
  expect(lastQuery()).toEqual({ ...common, end_time: until })
})

test('finds the post also where X knows the fields by their older name alone', async () => {
  const call = await open({ text: 'ours' })
  const ref = await prepared(call)
  const published = await x.commit(call, ref, 'none', undefined)
  const message = 'The query parameter [post.fields] is not one of [id,max_results,start_time,tweet.fields]'
  const body = {
    errors: [{ parameters: { 'post.fields': ['created_at'] }, message }],
    title: 'Invalid Request',
    type: 'https://api.x.com/2/problems/invalid-request',
    detail: 'One or more parameters to your request was invalid.',
  }
  platforms.faults.add({ platform: 'x', operation: 'timeline', times: 1, fault: 'status', status: 400, body })
  expect(await x.probe(call, attempt(ref))).toMatchObject({ kind: 'published', id: published.id })
  expect(new URLSearchParams(last('timeline')?.query).get('tweet.fields')).toBe('created_at,entities,note_tweet')
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
  for (const [url, normalized] of links) expect(normalized).toBe(url)
})

test('finds a long tweet after a lost response by its whole text', async () => {
  const premium = xSeed.people[1]?.id
  const text = `${'All about bread & butter. '.repeat(40)}See https://example.com/bread?a=b for more`
  const call = await open({ text }, premium)
  const ref = await prepared(call)
  const armed = attempt(ref)
  platforms.faults.add({ platform: 'x', operation: 'create', times: 1, fault: 'landed_then_reset' })
  await failureOf(x.commit(call, ref, 'none', undefined))
  // Another one that begins with the same text.
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

test('rejects an account without credentials', async () => {
  const account: ConnectedAccount = accountOf({ externalId: '1', credentials: {}, details: {} })
  const call = { ctx: site.ctx(), account, post: site.post() }
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'auth' })
})
