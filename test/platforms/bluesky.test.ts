import { afterAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { blueskySeed } from '../../infra/local/platforms/bluesky.ts'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { Refusal } from '../../shared/errors/refusal.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { connect } from '../../shared/platforms/bluesky/connect.ts'
import { bluesky } from '../../shared/platforms/bluesky/publish.ts'
import { bluesky as keeper } from '../../shared/platforms/bluesky/session.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { accountOf, failureOf, png, startSite } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const site = await startSite()
const { platforms } = site
const { account: person, mentionable } = blueskySeed

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

const calls = () => platforms.calls().map(({ operation }) => operation)
const login = (more: object = {}) => ({ identifier: person.handle, appPassword: person.appPassword, ...more })

async function open(post: Partial<OutgoingPost> = {}): Promise<PlatformCall> {
  const ctx = site.ctx()
  const call = { ctx, account: accountOf(await connect(ctx, login())), post: site.post(post) }
  platforms.reset()
  // The reset ended the session; its tokens still tell whose they are.
  return call
}

async function prepared(call: PlatformCall) {
  const done = await bluesky.prepare?.(call, undefined)
  if (!done || !('ready' in done)) throw new Error('expected to be ready')
  return done
}

async function publish(call: PlatformCall, key = clientKeyOf(bluesky, call.post)) {
  return bluesky.commit(call, (await prepared(call)).ready, key, undefined)
}

function fault(more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) {
  platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, ...more })
}

const Record = z.object({
  value: z.object({
    createdAt: z.string(),
    embed: z.optional(z.looseObject({ images: z.optional(z.array(z.looseObject({ alt: z.string() }))) })),
    facets: z._default(
      z.array(
        z.object({
          index: z.object({ byteStart: z.number(), byteEnd: z.number() }),
          features: z.array(z.record(z.string(), z.string())),
        }),
      ),
      [],
    ),
  }),
})

async function read(uri: string | null) {
  const [, , repo = '', collection = '', rkey = ''] = String(uri).split('/')
  const query = new URLSearchParams({ repo, collection, rkey })
  const answer = await fetch(`${platforms.urls['bluesky']}/xrpc/com.atproto.repo.getRecord?${query}`)
  const { value } = z.parse(Record, await answer.json())
  return value
}

test('publishes a text with a mention, a link, a tag, and an image', async () => {
  const text = `Grüße 👋🏽 @${mentionable.handle} und @nobody.bsky.test: https://example.com/x #atproto`
  const media = [await site.file({ altText: 'a dot', width: 1, height: 1 })]
  const call = await open({ text, media })
  const { id, url } = await publish(call)
  expect(platforms.published()).toMatchObject([{ account: person.handle, text, url }])
  const record = await read(id)
  expect(record.createdAt).toBe(new Date(call.post.scheduledAtMs).toISOString())
  expect(record.embed?.images).toMatchObject([
    { alt: 'a dot', aspectRatio: { width: 1, height: 1 }, image: { size: png.length, mimeType: 'image/png' } },
  ])
  const slices = record.facets.map(({ index, features }) => [
    Buffer.from(text).subarray(index.byteStart, index.byteEnd).toString(),
    Object.values(features[0] ?? {})[1],
  ])
  expect(slices).toEqual([
    [`@${mentionable.handle}`, mentionable.did],
    ['https://example.com/x', 'https://example.com/x'],
    ['#atproto', 'atproto'],
  ])
})

test('prepares a text without mentions without a call, and publishes it with one', async () => {
  const call = await open({ text: 'See https://example.com #now' })
  await publish(call)
  expect(calls()).toEqual(['create'])
  expect(site.effects.at(-1)).toEqual({
    service: 'bluesky',
    action: 'POST /xrpc/com.atproto.repo.putRecord',
    resource: platforms.urls['bluesky'],
  })
})

test('uploads images ahead, valid for half an hour', async () => {
  const media = await Promise.all(['one', 'two', 'three'].map((altText) => site.file({ altText })))
  const call = await open({ text: '', media })
  const { ready, expiresAtMs } = await prepared(call)
  expect(calls()).toEqual(['upload', 'upload', 'upload'])
  expect(platforms.published()).toEqual([])
  expect(expiresAtMs).toBe(site.now() + 30 * 60_000)
  const { id } = await bluesky.commit(call, ready, clientKeyOf(bluesky, call.post), undefined)
  expect((await read(id)).embed?.images?.map(({ alt }) => alt)).toEqual(['one', 'two', 'three'])
})

test.each([1, 4, 5, 10])('%i images are shown where every app shows them, more as a gallery', async (count) => {
  const sizes = { width: 3, height: 2 }
  const files = Array.from({ length: count }, (_, n) => site.file({ altText: `${n}`, ...(n === 0 ? {} : sizes) }))
  const call = await open({ text: '', media: await Promise.all(files) })
  const { ready } = await prepared(call)
  await bluesky.commit(call, ready, clientKeyOf(bluesky, call.post), undefined)
  expect(platforms.published()[0]?.media).toHaveLength(count)
  const of = (n: number) => ({ alt: `${n}`, image: expect.objectContaining({ $type: 'blob' }) })
  const gallery = files.map((_, n) => ({
    $type: 'app.bsky.embed.gallery#image',
    aspectRatio: n === 0 ? { width: 1, height: 1 } : sizes,
    ...of(n),
  }))
  const images = files.map((_, n) => (n === 0 ? of(n) : { aspectRatio: sizes, ...of(n) }))
  expect(ready['embed']).toEqual(
    count > 4 ? { $type: 'app.bsky.embed.gallery', items: gallery } : { $type: 'app.bsky.embed.images', images },
  )
})

test('says the languages of a text as they were given, and none where none were', async () => {
  const put = () => JSON.parse(String(platforms.calls().findLast(({ operation }) => operation === 'create')?.body))
  await publish(await open({ metadata: { langs: ['en', 'pt-BR'], more: 1 } }))
  expect(put().record).toMatchObject({ langs: ['en', 'pt-BR'] })
  expect(put().record).not.toHaveProperty('more')
  await publish(await open())
  expect(put().record).not.toHaveProperty('langs')
})

const putOf = () => JSON.parse(String(platforms.calls().findLast(({ operation }) => operation === 'create')?.body))

test('a link card has what the author wrote, and its image as a blob; the page is not fetched', async () => {
  const external = { url: 'https://bakery.example/a?b=1', title: 'Bread', own: 1 }
  await publish(await open({ metadata: { external } }))
  expect(putOf().record.embed).toEqual({
    $type: 'app.bsky.embed.external',
    external: { uri: 'https://bakery.example/a?b=1', title: 'Bread', description: '' },
  })
  expect(platforms.published()[0]).toMatchObject({ extras: ['card: Bread (https://bakery.example/a?b=1)'] })
  expect(calls()).toEqual(['create'])
  const metadata = { external: { ...external, description: 'From flour', thumbMediaAssetId: 'med_1' } }
  const assets = { 'external.thumbMediaAssetId': await site.file() }
  const { id } = await publish(await open({ metadata, assets }))
  expect(calls()).toEqual(['upload', 'create'])
  expect(putOf().record.embed.external).toEqual({
    uri: 'https://bakery.example/a?b=1',
    title: 'Bread',
    description: 'From flour',
    thumb: { $type: 'blob', ref: { $link: expect.any(String) }, mimeType: 'image/png', size: png.length },
  })
  expect(await read(id)).toMatchObject({ embed: { $type: 'app.bsky.embed.external' } })
})

const other = 'at://did:plc:another/app.bsky.feed.post/3m6hwzbhq2k2a'

test('a quote names the version of the post, alone and beside media or a card', async () => {
  const first = await publish(await open({ text: 'first' }))
  const query = new URLSearchParams({
    repo: person.did,
    collection: 'app.bsky.feed.post',
    rkey: first.id?.split('/')[4] ?? '',
  })
  const quotedPost = await fetch(`${platforms.urls['bluesky']}/xrpc/com.atproto.repo.getRecord?${query}`)
  const { uri, cid } = z.parse(z.object({ uri: z.string(), cid: z.string() }), await quotedPost.json())
  const record = { $type: 'app.bsky.embed.record', record: { uri, cid } }
  // The reset of `open` would remove the post that is quoted.
  const ctx = site.ctx()
  const account = accountOf(await connect(ctx, login()))
  const send = (post: Partial<OutgoingPost>) => publish({ ctx, account, post: site.post(post) })
  await send({ text: 'second', metadata: { quoteUri: uri } })
  expect(putOf().record.embed).toEqual(record)
  await send({ text: 'by handle', metadata: { quoteUri: uri.replace(person.did, person.handle) } })
  expect(putOf().record.embed).toEqual(record)
  await send({ text: 'third', metadata: { quoteUri: uri }, media: [await site.file()] })
  expect(putOf().record.embed).toMatchObject({
    $type: 'app.bsky.embed.recordWithMedia',
    record,
    media: { $type: 'app.bsky.embed.images' },
  })
  const external = { url: 'https://bakery.example/', title: 'Bread' }
  await send({ text: 'fourth', metadata: { quoteUri: uri, external } })
  expect(putOf().record.embed).toMatchObject({ record, media: { $type: 'app.bsky.embed.external' } })
  const gone = send({ text: 'fifth', metadata: { quoteUri: `${uri.slice(0, -1)}2` } })
  expect(await failureOf(gone)).toMatchObject({
    errorClass: 'invalid',
    message: 'Bluesky does not have the post to quote. Correct metadata.bluesky.quoteUri.',
  })
})

test('warns of content by labels of the record', async () => {
  await publish(await open({ metadata: { labels: ['nudity', 'graphic-media'] } }))
  expect(putOf().record.labels).toEqual({
    $type: 'com.atproto.label.defs#selfLabels',
    values: [{ val: 'nudity' }, { val: 'graphic-media' }],
  })
})

test('gates are created with their post by one call, under its key', async () => {
  const metadata = { replyGate: ['mentioned', 'followers', 'following'], disableQuotes: true, langs: ['en'] }
  const call = await open({ text: 'Gated', metadata })
  const key = clientKeyOf(bluesky, call.post)
  const { id, url } = await publish(call, key)
  expect(calls()).toEqual(['create'])
  expect(platforms.calls()[0]?.path).toBe('/xrpc/com.atproto.repo.applyWrites')
  const createdAt = new Date(call.post.scheduledAtMs).toISOString()
  const $type = 'com.atproto.repo.applyWrites#create'
  const threadgate = 'app.bsky.feed.threadgate'
  const postgate = 'app.bsky.feed.postgate'
  const post = { $type: 'app.bsky.feed.post', text: 'Gated', langs: ['en'], createdAt }
  const allow = ['mentionRule', 'followerRule', 'followingRule'].map((rule) => ({ $type: `${threadgate}#${rule}` }))
  const embeddingRules = [{ $type: `${postgate}#disableRule` }]
  expect(putOf()).toEqual({
    repo: person.did,
    validate: true,
    writes: [
      { $type, collection: 'app.bsky.feed.post', rkey: key, value: post },
      { $type, collection: threadgate, rkey: key, value: { $type: threadgate, post: id, allow, createdAt } },
      { $type, collection: postgate, rkey: key, value: { $type: postgate, post: id, embeddingRules, createdAt } },
    ],
  })
  expect(platforms.published()).toMatchObject([
    { url, extras: ['replies: mentionRule, followerRule, followingRule', 'no quotes'] },
  ])
})

test('an empty gate lets nobody reply; a reply has none of its own, and without gates the record is put', async () => {
  await publish(await open({ metadata: { replyGate: [] } }))
  expect(putOf().writes).toHaveLength(2)
  expect(platforms.published()[0]?.extras).toEqual(['replies: nobody'])
  const metadata = { replyGate: ['followers'], disableQuotes: false }
  const call = await open({ metadata })
  const { ready } = await prepared({ ...call, post: { ...call.post, replyTo: other } })
  expect(ready).not.toHaveProperty('gates')
})

test('a lost response of a post with gates: the repeat is refused as a whole, and the probe finds the post', async () => {
  const call = await open({ metadata: { replyGate: ['followers'] } })
  const key = clientKeyOf(bluesky, call.post)
  const { ready } = await prepared(call)
  const attempt = { clientKey: key, ref: ready, startedAtMs: site.now() }
  expect(await bluesky.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  for (let n = 0; n < 2; n += 1) {
    const repeat = bluesky.commit(call, ready, key, undefined)
    expect(await failureOf(repeat)).toMatchObject({ errorClass: 'unknown' })
  }
  expect(platforms.published()).toHaveLength(1)
  expect(await bluesky.probe(call, attempt)).toMatchObject({ kind: 'published', url: platforms.published()[0]?.url })
})

test('a live post is removed with its gates, also when it is asked again', async () => {
  const call = await open({ metadata: { replyGate: [], disableQuotes: true } })
  const { id } = await publish(call)
  for (let n = 0; n < 2; n += 1) await bluesky.remove?.(call, id ?? '')
  const collections = platforms
    .calls()
    .filter(({ operation }) => operation === 'delete')
    .map(({ body }) => JSON.parse(String(body)).collection)
  const each = ['app.bsky.feed.post', 'app.bsky.feed.threadgate', 'app.bsky.feed.postgate']
  expect(collections).toEqual([...each, ...each])
  expect(platforms.published()).toEqual([])
})

test('a repeat with the same key changes nothing', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  const key = clientKeyOf(bluesky, call.post)
  const first = await bluesky.commit(call, ready, key, undefined)
  const before = await read(first.id)
  site.pass(90_000)
  expect(await bluesky.commit(call, ready, key, undefined)).toEqual(first)
  expect(await read(first.id)).toEqual(before)
  expect(platforms.published()).toHaveLength(1)
})

test('a lost response is unknown; a repeat with the same key leaves one post', async () => {
  const call = await open()
  const key = clientKeyOf(bluesky, call.post)
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(publish(call, key))).toMatchObject({ errorClass: 'unknown' })
  expect(platforms.published()).toHaveLength(1)
  const { url } = await publish(call, key)
  expect(platforms.published()).toMatchObject([{ url }])
})

test.each([
  [
    '429 with a reset',
    { fault: 'rate_limited', retryAfterSeconds: 77 },
    'rate',
    { retryAfterSeconds: 77, httpStatus: 429 },
  ],
  ['half an answer', { fault: 'truncated_json' }, 'unknown', { httpStatus: 200 }],
  ['a revoked token', { fault: 'token_revoked' }, 'auth', { code: 'ExpiredToken' }],
  ['401', { fault: 'status', status: 401 }, 'auth', { httpStatus: 401 }],
  ['403', { fault: 'status', status: 403 }, 'blocked', { httpStatus: 403 }],
  [
    '400',
    { fault: 'status', status: 400, body: { error: 'InvalidRequest', message: 'grapheme too big' } },
    'invalid',
    { detail: 'grapheme too big' },
  ],
  ['404 as a page', { fault: 'status', status: 404, body: '<html>' }, 'transient', { httpStatus: 404 }],
  [
    'a lost picture',
    { fault: 'status', status: 400, body: { error: 'BlobNotFound', message: 'gone' } },
    'transient',
    { code: 'BlobNotFound' },
  ],
  ...transportFaults,
  ...lostResponses,
] as const)('the create meets %s', async (_, script, errorClass, info) => {
  const call = await open()
  fault(script)
  const error = await failureOf(publish(call))
  expect(error).toMatchObject({ errorClass, info })
  expect(calls()).toEqual(['create'])
  if (errorClass === 'invalid') expect(error.message).toBe('Bluesky rejected the post: grapheme too big')
})

test.each([
  ['reset', { fault: 'reset_after' }, 'transient'],
  ['500', { fault: 'status', status: 500 }, 'transient'],
  ['429', { fault: 'rate_limited' }, 'rate'],
] as const)('an upload that meets %s is transient', async (_, script, errorClass) => {
  const call = await open({ media: [await site.file()] })
  fault({ ...script, operation: 'upload' })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass })
})

test('without Retry-After the wait lasts until the reset', async () => {
  const call = await open()
  fault({ fault: 'status', status: 429, body: { error: 'RateLimitExceeded' } })
  // The stand-in counts in windows of five minutes.
  const untilReset = 300 - ((site.now() / 1000) % 300)
  expect((await failureOf(publish(call))).info.retryAfterSeconds).toBe(untilReset)
})

test('rejects with the server’s message', async () => {
  const call = await open({ text: 'x'.repeat(301) })
  const error = await failureOf(publish(call))
  expect(error).toMatchObject({ errorClass: 'invalid', info: { httpStatus: 400, code: 'InvalidRequest' } })
  expect(error.message).toContain('grapheme too big (maximum 300, got 301)')
})

test('a refused connection is transient even for the create: nothing was sent', async () => {
  const call = await open()
  const account = { ...call.account, details: { service: 'http://127.0.0.1:1' } }
  const ctx = site.ctx({ ALLOWED_ORIGINS: 'http://127.0.0.1:1' })
  expect(await failureOf(publish({ ...call, ctx, account }))).toMatchObject({ errorClass: 'transient' })
})

test('does not call a server inside the network', async () => {
  const call = await open()
  for (const service of ['http://169.254.169.254', 'https://10.0.0.1', 'https://localhost']) {
    const error = await failureOf(publish({ ...call, account: { ...call.account, details: { service } } }))
    expect(error).toMatchObject({ errorClass: 'blocked', info: { code: 'blocked_address' } })
  }
})

test('a probe is published, absent, or unclear', async () => {
  const call = await open()
  const key = clientKeyOf(bluesky, call.post)
  const attempt = { clientKey: key, ref: {}, startedAtMs: site.now() }
  expect(await bluesky.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await publish(call, key)
  expect(await bluesky.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  fault({ fault: 'status', status: 502, operation: 'read' })
  expect(await bluesky.probe(call, attempt)).toEqual({ kind: 'unclear' })
})

test('refreshes tokens, survives a lost response, and reports a revoked session', async () => {
  const ctx = site.ctx()
  const account = accountOf(await connect(ctx, login()))
  const twoHours = site.now() + 2 * 3_600_000
  expect(keeper.credentialsExpireAtMs?.(account.credentials)).toBe(twoHours)
  expect(keeper.credentialsExpireAtMs?.({ accessJwt: 'opaque' })).toBeUndefined()
  site.pass(3_600_000)
  fault({ fault: 'landed_then_reset', operation: 'refresh' })
  const again = async () => keeper.refresh?.(ctx, account)
  expect(await failureOf(again())).toMatchObject({ errorClass: 'transient' })
  const fresh = await again()
  expect(keeper.credentialsExpireAtMs?.(fresh ?? {})).toBe(twoHours + 3_600_000)
  expect(fresh?.['refreshJwt']).not.toBe(account.credentials['refreshJwt'])
  platforms.reset()
  expect(await failureOf(again())).toMatchObject({ errorClass: 'auth', info: { code: 'ExpiredToken' } })
  expect(await failureOf((async () => keeper.refresh?.(ctx, { ...account, credentials: {} }))())).toMatchObject({
    errorClass: 'auth',
  })
})

test('connecting returns the account, its server, and its tokens, never the password', async () => {
  const connection = await connect(site.ctx(), login({ identifier: ` @${person.handle} ` }))
  expect(connection).toMatchObject({
    platform: 'bluesky',
    providerName: 'Bluesky',
    externalId: person.did,
    username: person.handle,
    displayName: person.displayName,
    profileImageUrl: null,
    details: { service: platforms.urls['bluesky'] },
  })
  expect(Object.keys(connection.credentials)).toEqual(['accessJwt', 'refreshJwt'])
  expect(JSON.stringify(connection)).not.toContain(person.appPassword)
})

test('connects an account whose profile cannot be read', async () => {
  fault({ fault: 'status', status: 502, operation: 'profile' })
  expect(await connect(site.ctx(), login())).toMatchObject({ displayName: person.handle, profileImageUrl: null })
})

test('rejects a wrong password, a main password, an inactive account, and a forbidden server', async () => {
  const ctx = site.ctx()
  await expect(connect(ctx, login({ appPassword: 'no' }))).rejects.toMatchObject({ details: { field: 'appPassword' } })
  const factor = { error: 'AuthFactorTokenRequired', message: 'A sign in code has been sent' }
  fault({ fault: 'status', operation: 'login', status: 401, body: factor })
  await expect(connect(ctx, login())).rejects.toThrow('Bluesky requires an app password')
  const answerWith = (body: object) => fault({ fault: 'status', operation: 'login', status: 200, body })
  const jwt = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
  const session = { refreshJwt: 'r', did: person.did, handle: person.handle }
  answerWith({ ...session, accessJwt: jwt({ exp: 1, scope: 'com.atproto.access' }) })
  await expect(connect(ctx, login())).rejects.toMatchObject({ details: { field: 'appPassword' } })
  answerWith({ ...session, accessJwt: jwt({ exp: 1, scope: 'com.atproto.appPass' }), active: false })
  expect(await failureOf(connect(ctx, login()))).toMatchObject({ errorClass: 'permission' })
  const home = { service: [{ id: `${person.did}#atproto_pds`, serviceEndpoint: 'https://169.254.169.254/' }] }
  answerWith({ ...session, accessJwt: jwt({ exp: 1, scope: 'com.atproto.appPass' }), didDoc: home })
  await expect(connect(ctx, login())).rejects.toMatchObject({ details: { field: 'service' } })
  for (const service of ['http://localhost:1', 'https://192.168.0.1', 'ftp://elsewhere.test']) {
    const refusal = await connect(ctx, login({ service })).catch((thrown: unknown) => thrown)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ reason: 'invalid', details: { field: 'service' } })
  }
})

const Whole = z.object({ uri: z.string(), cid: z.string(), value: z.looseObject({ createdAt: z.string() }) })

async function readWhole(uri: string | null) {
  const [, , repo = '', collection = '', rkey = ''] = String(uri).split('/')
  const query = new URLSearchParams({ repo, collection, rkey })
  const answer = await fetch(`${platforms.urls['bluesky']}/xrpc/com.atproto.repo.getRecord?${query}`)
  return z.parse(Whole, await answer.json())
}

/** Publishes a post as the publisher does, with what is built before its time. */
async function send(call: PlatformCall, post: Partial<OutgoingPost>) {
  const own = { ...call, post: site.post({ scheduledAtMs: call.post.scheduledAtMs, ...post }) }
  const { ready } = await prepared(own)
  const built = await bluesky.build?.(own, ready)
  const key = clientKeyOf(bluesky, own.post)
  return { call: own, ready, built, key, ...(await bluesky.commit(own, ready, key, built)) }
}

test('a reply names the first post of its thread and the post before it', async () => {
  const start = await open()
  const first = await send(start, { text: 'One' })
  const second = await send(start, { text: 'Two', replyTo: String(first.id) })
  const before = platforms.calls().length
  const third = await send(start, { text: 'Three', replyTo: String(second.id) })
  // The post before it is read before the time of the post, and the post is one call.
  expect(calls().slice(before)).toEqual(['read', 'create'])
  const [one, two] = [await readWhole(first.id), await readWhole(second.id)]
  const sent = platforms.calls().filter(({ operation }) => operation === 'create')
  const [rootRef, parentRef] = [one, two].map(({ uri, cid }) => ({ uri, cid }))
  expect(sent.map(({ body }) => JSON.parse(String(body)).record)).toEqual([
    { $type: 'app.bsky.feed.post', text: 'One', createdAt: one.value.createdAt },
    {
      ...{ $type: 'app.bsky.feed.post', text: 'Two', createdAt: two.value.createdAt },
      reply: { root: rootRef, parent: rootRef },
    },
    {
      ...{ $type: 'app.bsky.feed.post', text: 'Three', createdAt: (await readWhole(third.id)).value.createdAt },
      reply: { root: rootRef, parent: parentRef },
    },
  ])
  expect(platforms.published().map(({ replyTo }) => replyTo)).toEqual([null, first.url, second.url])
})

test('the posts of a thread have one time and keep their order', async () => {
  const start = await open()
  const ids = [String((await send(start, { text: 'One' })).id)]
  for (const text of ['Two', 'Three']) ids.push(String((await send(start, { text, replyTo: ids.at(-1) ?? '' })).id))
  const dueMs = start.post.scheduledAtMs
  const times = await Promise.all(ids.map(async (id) => Date.parse((await readWhole(id)).value.createdAt) - dueMs))
  expect(times).toEqual([0, 1, 2])
  expect(ids.toSorted()).toEqual(ids)
  const later = await send(start, { text: 'Four', replyTo: ids.at(-1) ?? '', scheduledAtMs: dueMs + 60_000 })
  expect(Date.parse((await readWhole(later.id)).value.createdAt) - dueMs).toBe(60_000)
})

test('a reply is put again as the same record, and found by its time after a restore', async () => {
  const start = await open()
  const first = await send(start, { text: 'One' })
  const { call, ready, built, key, id, url } = await send(start, { text: 'Two', replyTo: String(first.id) })
  expect(await bluesky.build?.(call, ready)).toEqual(built)
  expect(await bluesky.commit(call, ready, key, await bluesky.build?.(call, ready))).toEqual({ id, url })
  expect(platforms.published()).toHaveLength(2)
  const attempt = { clientKey: 'another key', ref: ready, startedAtMs: site.now(), isRestored: true as const }
  expect(await bluesky.probe(call, attempt)).toEqual({ kind: 'published', id, url })
})

test('a reply to a post that is gone is tried again before anything is sent', async () => {
  const start = await open()
  const first = await send(start, { text: 'One' })
  await bluesky.remove?.(start, String(first.id))
  const error = await failureOf(send(start, { text: 'Two', replyTo: String(first.id) }))
  expect(error).toMatchObject({
    errorClass: 'transient',
    message: 'Bluesky does not show the post that this one replies to.',
  })
  expect(platforms.published()).toEqual([])
})

test('a server rejects a reply whose content ID is none', async () => {
  const start = await open()
  const { ready } = await prepared(start)
  const uri = `at://${person.did}/app.bsky.feed.post/3jzfcijpj2z2a`
  const reply = { root: { uri, cid: 'none' }, parent: { uri, cid: 'none' } }
  expect(
    await failureOf(bluesky.commit(start, ready, clientKeyOf(bluesky, start.post), { ...ready, reply })),
  ).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('must be a cid string'),
  })
})
