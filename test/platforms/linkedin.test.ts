import { expect, test } from 'vitest'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { linkedin } from '../../shared/platforms/linkedin/publish.ts'
import { visitLinkedIn } from './linkedin-visit.ts'
import { failureOf } from './site.ts'

const { site, platforms, sentTo, operations, fault, open, openPage, prepared, commit, probe } = await visitLinkedIn()

const jsonOf = (operation: string) => JSON.parse(String(sentTo(operation)[0]?.body))

test('creates one post for a text, and reads its URN from a header', async () => {
  const call = await open({ text: 'Hello (world) #fun' })
  const { ready, expiresAtMs } = await prepared(call)
  expect(expiresAtMs).toBe(site.now() + 86_400_000)
  expect(operations()).not.toContain('create')
  const landed = await commit(call, ready)
  const [sent] = sentTo('create')
  expect(sent).toMatchObject({ method: 'POST', path: '/rest/posts', query: '' })
  expect(sent?.headers).toMatchObject({
    authorization: `Bearer ${call.account.credentials['accessToken']}`,
    'linkedin-version': '202607',
    'x-restli-protocol-version': '2.0.0',
    'content-type': 'application/json',
  })
  expect(jsonOf('create')).toEqual({
    author: 'urn:li:person:782bbtaQ',
    commentary: 'Hello \\(world\\) {hashtag|\\#|fun}',
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  })
  const [shown] = platforms.published()
  expect(shown).toMatchObject({ account: 'Ada Demo', text: 'Hello (world) #fun' })
  expect(landed).toEqual({ id: expect.stringMatching(/^urn:li:share:\d+$/), url: shown?.url })
  expect(shown?.url).toBe(`https://www.linkedin.com/feed/update/${landed.id}/`)
})

test('posts as the Page', async () => {
  const call = await openPage()
  await commit(call, (await prepared(call)).ready)
  expect(jsonOf('create').author).toBe('urn:li:organization:5515715')
  expect(platforms.published()).toMatchObject([{ account: 'Demo Company' }])
})

test('a create without the id header is published', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ fault: 'status', status: 201, body: '' })
  expect(await commit(call, ready)).toEqual({ id: null, url: null })
})

test('a lost response is unknown; an immediate repeat names the first post', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  const [shown] = platforms.published()
  expect(await probe(call, ready, 1000)).toEqual({ kind: 'unclear' })
  const failure = await failureOf(commit(call, ready))
  const original = { id: shown?.url.match(/urn:li:share:\d+/)?.[0], url: shown?.url }
  expect(failure).toMatchObject({ errorClass: 'duplicate', info: { original, httpStatus: 422 } })
  expect(platforms.published()).toHaveLength(1)
})

test('a member’s post is unclear for nine minutes, then unprovable', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  expect(linkedin.repeatableSeconds).toBe(540)
  expect(await probe(call, ready, 539_999)).toEqual({ kind: 'unclear' })
  expect(await probe(call, ready, 540_000)).toEqual({ kind: 'unprovable' })
  const changed = { ...call, post: { ...call.post, version: 2 } }
  expect(await probe(changed, ready, 1000)).toEqual({ kind: 'unprovable' })
  expect(operations()).not.toContain('read')
})

test('searches a page by text and time', async () => {
  const call = await openPage({ text: 'Same (text)' })
  const { ready } = await prepared(call)
  await commit(call, ready)
  site.pass(60_000)
  expect(await probe(call, ready, 54_999)).toEqual({ kind: 'absent' })
  const [shown] = platforms.published()
  expect(await probe(call, ready, 60_000)).toMatchObject({ kind: 'published', url: shown?.url })
  expect(sentTo('read')[0]).toMatchObject({
    path: '/rest/posts',
    query: 'q=author&author=urn%3Ali%3Aorganization%3A5515715&count=100&sortBy=CREATED&start=0',
  })
  site.pass(600_000)
  const other = { ...ready, body: { ...(ready['body'] as object), commentary: 'Another text' } }
  expect(await probe(call, other, 60_000)).toEqual({ kind: 'absent' })
  fault({ operation: 'read', fault: 'status', status: 500 })
  await failureOf(probe(call, ready, 1000))
})

const repeat = (urn: string) => ({ code: 'DUPLICATE_POST', status: 422, message: `Content is a duplicate of ${urn}` })

test('a duplicate of a post that no longer exists is transient', async () => {
  const call = await openPage()
  const { ready } = await prepared(call)
  fault({ fault: 'status', status: 422, body: repeat('urn:li:share:404') })
  const failure = await failureOf(commit(call, ready))
  expect(failure).toMatchObject({ errorClass: 'transient', info: { detail: 'urn:li:share:404' } })
  expect(sentTo('read')[0]?.path).toBe('/rest/posts/urn%3Ali%3Ashare%3A404')
})

test('accepts a duplicate error whose original cannot be read, with either URN type', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ fault: 'status', status: 422, body: repeat('urn:li:ugcPost:7') })
  fault({ operation: 'read', fault: 'status', status: 403 })
  const url = 'https://www.linkedin.com/feed/update/urn:li:ugcPost:7/'
  expect(await failureOf(commit(call, ready))).toMatchObject({
    errorClass: 'duplicate',
    info: { original: { id: 'urn:li:ugcPost:7', url } },
  })
  fault({ fault: 'status', status: 422, body: { message: 'Content is a duplicate of something' } })
  const failure = await failureOf(commit(call, ready))
  expect(failure.errorClass).toBe('duplicate')
  expect(failure.info.original).toBeUndefined()
})

test('a lost repeat does not hide the first post: the probe starts at the first attempt', async () => {
  const call = await openPage({ text: 'Only once' })
  const { ready } = await prepared(call)
  const attempt = { clientKey: 'key', ref: ready, startedAtMs: site.now() + 300_000 }
  await commit(call, ready)
  expect(await linkedin.probe(call, attempt)).toEqual({ kind: 'absent' })
  expect(await linkedin.probe(call, { ...attempt, firstStartedAtMs: site.now() })).toMatchObject({ kind: 'published' })
})

test('LinkedIn takes no idempotency key and rejects a repeated text', () => {
  const post = site.post()
  expect(clientKeyOf(linkedin, post)).toBe(`${post.id}:1`)
  expect(linkedin).toMatchObject({ reconcileMethod: 'duplicate-refusal', readLagSeconds: 120 })
})

const commented = { text: 'The (recipe)', replyTo: '' }
const commentCalls = linkedin.commentCalls === 'reply' ? undefined : linkedin.commentCalls

test('comments as the Page, and finds a lost comment among those under the post', async () => {
  const post = await openPage()
  const { id } = await commit(post, (await prepared(post)).ready)
  const urn = id ?? ''
  const call = await openPage({ ...commented, replyTo: urn })
  const attempt = { clientKey: 'c:1', ref: {}, startedAtMs: site.now() }
  expect(await commentCalls?.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await commentCalls?.commit(call, {}, 'c:1', undefined)
  const [sent] = sentTo('comment')
  expect(sent).toMatchObject({ method: 'POST', path: `/rest/socialActions/${encodeURIComponent(urn)}/comments` })
  expect(jsonOf('comment')).toEqual({
    actor: 'urn:li:organization:5515715',
    object: urn,
    message: { text: 'The (recipe)' },
  })
  expect(landed).toMatchObject({ id: expect.stringMatching(/^urn:li:comment:\(/) })
  expect(await commentCalls?.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  expect(sentTo('comments').at(-1)?.query).toBe('start=0&count=100')
  // An older comment with the same text is another one.
  site.pass(60_000)
  expect(await commentCalls?.probe(call, { ...attempt, startedAtMs: site.now() })).toEqual({ kind: 'absent' })
})

test('a comment counts as made by its status, and one of a member is not looked for', async () => {
  const post = await open()
  const { id } = await commit(post, (await prepared(post)).ready)
  const call = await open({ ...commented, replyTo: id ?? '' })
  fault({ fault: 'status', status: 201, body: '', operation: 'comment' })
  expect(await commentCalls?.commit(call, {}, 'c:1', undefined)).toMatchObject({ id: null })
  expect(await commentCalls?.probe(call, { clientKey: 'c:1', ref: {}, startedAtMs: site.now() })).toEqual({
    kind: 'unprovable',
  })
  expect(operations()).not.toContain('comments')
})
