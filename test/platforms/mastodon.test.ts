import { expect, test } from 'vitest'
import { parseMultipart } from '../../infra/local/pages/multipart.ts'
import { mastodonSeed } from '../../infra/local/platforms/mastodon.ts'
import { mastodon as connector } from '../../shared/platforms/mastodon/connect.ts'
import { mastodon } from '../../shared/platforms/mastodon/publish.ts'
import { visitMastodon } from './mastodon-visit.ts'
import { failureOf, png } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const visited = await visitMastodon()
const { site, platforms, open, publish, prepared, waiting, commit, sentTo, jsonOf, operations, fault } = visited
const [person] = mastodonSeed.people
const urlOf = (id: string | null) => `https://${mastodonSeed.server}/@${person.username}/${id}`

test('publishes a text by one call with the key of the attempt', async () => {
  const call = await open({ text: 'Grüße 👋🏽' })
  const { ready, expiresAtMs } = await prepared(call)
  expect(expiresAtMs).toBe(site.now() + 12 * 3_600_000)
  const landed = await commit(call, ready)
  expect(landed).toEqual({ id: expect.stringMatching(/^\d+$/), url: urlOf(landed.id) })
  const [create, ...more] = sentTo('create')
  expect(more).toEqual([])
  expect(create).toMatchObject({
    method: 'POST',
    path: '/api/v1/statuses',
    headers: {
      authorization: `Bearer ${call.account.credentials['accessToken']}`,
      'content-type': 'application/json',
      'idempotency-key': `${call.post.id}:1`,
    },
  })
  expect(jsonOf('create')).toEqual({ status: 'Grüße 👋🏽' })
  expect(platforms.published()).toMatchObject([
    { account: `@${person.username}@${mastodonSeed.domain}`, text: 'Grüße 👋🏽', url: landed.url, extras: [] },
  ])
})

test('sends every field of the metadata', async () => {
  const metadata = {
    visibility: 'unlisted',
    spoilerText: 'Bread ahead',
    isSensitive: true,
    language: 'de',
    poll: { options: ['Rye', 'Spelt'], durationSeconds: 3600, isMultiple: true },
    another: 'kept',
  }
  await publish(await open({ text: 'Which?', metadata }))
  expect(jsonOf('create')).toEqual({
    status: 'Which?',
    visibility: 'unlisted',
    spoiler_text: 'Bread ahead',
    sensitive: true,
    language: 'de',
    poll: { options: ['Rye', 'Spelt'], expires_in: 3600, multiple: true, hide_totals: false },
  })
  expect(platforms.published()[0]?.extras).toEqual([
    ...['warning: Bread ahead', 'sensitive', 'unlisted', 'language: de', 'poll: Rye | Spelt (60 min)'],
  ])
})

test('uploads images ahead, each with its description, and names them in their order', async () => {
  const media = [
    await site.file({ altText: `${'é'.repeat(1500)}!`, originalFilename: 'a "dot".png' }),
    await site.file({ originalFilename: 'two.png' }),
  ]
  const call = await open({ text: '', media })
  const { ready } = await prepared(call)
  expect(platforms.published()).toEqual([])
  const uploads = sentTo('upload').map(({ path, headers, body }) => ({
    path,
    parts: parseMultipart(headers['content-type'] ?? '', body).map(({ name, filename, type, bytes }) => ({
      name,
      filename,
      type,
      value: name === 'file' ? bytes.length : bytes.toString(),
    })),
  }))
  // Both are sent at the same time.
  expect(uploads.toSorted((a, b) => b.parts.length - a.parts.length)).toEqual([
    {
      path: '/api/v2/media',
      parts: [
        { name: 'description', filename: undefined, type: undefined, value: 'é'.repeat(1500) },
        { name: 'file', filename: 'a "dot".png', type: 'image/png', value: png.length },
      ],
    },
    {
      path: '/api/v2/media',
      parts: [{ name: 'file', filename: 'two.png', type: 'image/png', value: png.length }],
    },
  ])
  await commit(call, ready)
  expect(jsonOf('create')).toEqual({ status: '', media_ids: ready['mediaIds'] })
  expect(platforms.published()[0]?.media).toHaveLength(2)
  expect(operations().slice(-3)).toEqual(['upload', 'upload', 'create'])
})

test('waits until the server has processed a video, and sends it once', async () => {
  const call = await open({ text: 'A film', media: [await visited.videoFile()] })
  const first = await waiting(call)
  expect(first.waitSeconds).toBe(2)
  const second = await waiting(call, first.resume)
  site.pass(4_000)
  const { ready } = await prepared(call, second.resume)
  await commit(call, ready)
  expect(sentTo('media').map(({ status }) => status)).toEqual([206, 200])
  expect(sentTo('upload').map(({ status }) => status)).toEqual([202])
  expect(platforms.published()[0]?.media).toHaveLength(1)
})

test('a video that is never processed, one that fails, and one that is gone are distinguished', async () => {
  const call = await open({ text: 'A film', media: [await visited.videoFile()] })
  const { resume } = await waiting(call)
  fault({ fault: 'status', status: 206, operation: 'media', body: { id: '1', url: null } })
  site.pass(31 * 60_000)
  expect(await failureOf(prepared(call, resume))).toMatchObject({ errorClass: 'transient' })
  const error = 'Validation failed: File content type is invalid'
  fault({ fault: 'status', status: 422, operation: 'media', body: { error } })
  expect(await failureOf(prepared(call, resume))).toMatchObject({
    errorClass: 'invalid',
    message: `Mastodon rejected the post: ${error}`,
  })
  fault({ fault: 'status', status: 404, operation: 'media', body: { error: 'Record not found' } })
  expect(await failureOf(prepared(call, resume))).toMatchObject({
    errorClass: 'transient',
    info: { preparedGone: true },
  })
})

test('a reply names the post before it; one that is not there yet is tried again', async () => {
  const call = await open({ text: 'First' })
  const { id } = await publish(call)
  const reply = { ...call, post: site.post({ text: 'Second', replyTo: id ?? '' }) }
  await publish(reply)
  expect(jsonOf('create')).toEqual({ status: 'Second', in_reply_to_id: id })
  expect(platforms.published()[1]?.replyTo).toBe(urlOf(id))
  const lost = { ...call, post: site.post({ text: 'Third', replyTo: '1' }) }
  expect(await failureOf(publish(lost))).toMatchObject({
    errorClass: 'transient',
    message: 'Mastodon does not show the post that this one replies to.',
  })
})

test('no observed effect contains a token or a secret', async () => {
  const call = await open({ media: [await site.file()] })
  await publish(call)
  const { accessToken, clientSecret } = call.account.credentials
  for (const secret of [accessToken, clientSecret]) expect(JSON.stringify(site.effects)).not.toContain(String(secret))
})

const respondWith = (status: number, error: string) => ({ fault: 'status', status, body: { error } }) as const

test.each([
  ['a dead token', { fault: 'token_revoked' }, 'auth', { httpStatus: 401 }],
  [
    'a missing scope',
    respondWith(403, 'This action is outside the authorized scopes'),
    'permission',
    { httpStatus: 403 },
  ],
  ['a suspended account', respondWith(403, 'Your login is currently disabled'), 'permission', {}],
  ['a refusal', { fault: 'blocked' }, 'blocked', { detail: 'This action is not allowed' }],
  ['an account that is gone', respondWith(410, 'Gone'), 'blocked', { httpStatus: 410 }],
  ['429', { fault: 'rate_limited', retryAfterSeconds: 30 }, 'rate', { retryAfterSeconds: 30 }],
  ['429 without a time', respondWith(429, 'Too many requests'), 'rate', { httpStatus: 429 }],
  ['a text too long', respondWith(422, 'Validation failed: Text character limit of 500 exceeded'), 'invalid', {}],
  ['a file too large for a proxy', { fault: 'status', status: 413, body: '<html>' }, 'invalid', { httpStatus: 413 }],
  ['a 404 as a page', { fault: 'status', status: 404, body: '<html>' }, 'invalid', { httpStatus: 404 }],
  ...transportFaults,
  ...lostResponses,
] as const)('the create meets %s', async (_, script, errorClass, info) => {
  const call = await open()
  fault(script)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass, info })
  expect(sentTo('create')).toHaveLength(1)
})

test('files that the server dropped are uploaded again before the next try', async () => {
  const call = await open({ media: [await site.file()] })
  const { ready } = await prepared(call)
  const gone = await failureOf(commit(call, { ...ready, mediaIds: ['4711'] }))
  expect(gone).toMatchObject({ errorClass: 'transient', info: { preparedGone: true } })
  expect(gone.info.detail).toBe('Media 4711 not found or already attached to another post')
})

test('a live post is deleted; one that is not there counts as deleted', async () => {
  const call = await open()
  const { id } = await publish(call)
  await mastodon.remove?.(call, id ?? '')
  expect(platforms.published()).toEqual([])
  await mastodon.remove?.(call, id ?? '')
  expect(sentTo('delete').map(({ method, path, status }) => [method, path, status])).toEqual([
    ['DELETE', `/api/v1/statuses/${id}`, 200],
    ['DELETE', `/api/v1/statuses/${id}`, 404],
  ])
})

test('an edit changes the text and names everything that stays', async () => {
  const metadata = { spoilerText: 'Bread ahead', isSensitive: true, language: 'de' }
  const media = [await site.file({ altText: 'a dot' })]
  const call = await open({ text: 'Befor', metadata, media })
  const { ready } = await prepared(call)
  const { id } = await commit(call, ready)
  await mastodon.edit?.({ ...call, post: { ...call.post, text: 'Before' } }, id ?? '')
  expect(sentTo('edit')).toMatchObject([{ method: 'PUT', path: `/api/v1/statuses/${id}` }])
  expect(jsonOf('edit')).toEqual({
    status: 'Before',
    media_ids: ready['mediaIds'],
    spoiler_text: 'Bread ahead',
    sensitive: true,
    language: 'de',
  })
  expect(platforms.published()).toMatchObject([
    { text: 'Before', media: [expect.any(String)], extras: ['warning: Bread ahead', 'sensitive', 'language: de'] },
  ])
  await mastodon.remove?.(call, id ?? '')
  const edit = mastodon.edit?.(call, id ?? '') ?? Promise.resolve()
  expect(await failureOf(edit)).toMatchObject({ errorClass: 'invalid', message: 'Mastodon no longer has the post.' })
})

test('the access of an account is revoked with the app that it was given to', async () => {
  const call = await open()
  const { accessToken, clientId, clientSecret } = call.account.credentials
  await connector.revoke?.(call.ctx, call.account)
  expect(sentTo('revoke')).toMatchObject([{ method: 'POST', path: '/oauth/revoke', status: 200 }])
  expect(visited.formOf('revoke')).toEqual({ client_id: clientId, client_secret: clientSecret, token: accessToken })
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'auth' })
})

test('calls nothing but the server of the account, and none in a private network', async () => {
  const call = await open()
  const ctx = site.ctx({ PLATFORM_ORIGINS: '{}' })
  const account = { ...call.account, details: { ...call.account.details, server: 'https://10.0.0.1' } }
  expect(await failureOf(publish({ ...call, ctx, account }))).toMatchObject({
    errorClass: 'blocked',
    message: expect.stringContaining('10.0.0.1'),
  })
})
