import { expect, test } from 'vitest'
import { blueskySeed } from '../../infra/local/platforms/bluesky.ts'
import { Refusal } from '../../shared/errors/refusal.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { connect } from '../../shared/platforms/bluesky/connect.ts'
import { bluesky as keeper } from '../../shared/platforms/bluesky/lifecycle.ts'
import { bluesky } from '../../shared/platforms/bluesky/publish.ts'
import { login, visitBluesky } from './bluesky-visit.ts'
import { accountOf, failureOf, png } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const { site, platforms, open, prepared, publish, calls, created, fault, read } = await visitBluesky()
const { account: person, mentionable } = blueskySeed

test('publishes a text with a mention, a link, a tag, and an image', async () => {
  const text = `Grüße 👋🏽 @${mentionable.handle} und @nobody.bsky.test: https://example.com/x #atproto`
  const media = [await site.file({ altText: 'a dot', width: 1, height: 1 })]
  const call = await open({ text, media })
  const { id, url } = await publish(call)
  expect(platforms.published()).toMatchObject([{ account: person.handle, text, url }])
  const { value: record } = await read(id)
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
  expect((await read(id)).value.embed?.images?.map(({ alt }) => alt)).toEqual(['one', 'two', 'three'])
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

test('sends the languages of a text unchanged, and none if none were given', async () => {
  await publish(await open({ metadata: { langs: ['en', 'pt-BR'], more: 1 } }))
  expect(created().record).toMatchObject({ langs: ['en', 'pt-BR'] })
  expect(created().record).not.toHaveProperty('more')
  await publish(await open())
  expect(created().record).not.toHaveProperty('langs')
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
    profileImageUrl: expect.stringContaining('/face/'),
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
