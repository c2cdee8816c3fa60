import { expect, test } from 'vitest'
import { blueskySeed } from '../../infra/local/platforms/bluesky.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { connect } from '../../shared/platforms/bluesky/connect.ts'
import { bluesky } from '../../shared/platforms/bluesky/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { login, visitBluesky } from './bluesky-visit.ts'
import { accountOf, failureOf, png } from './site.ts'

const { site, platforms, open, prepared, publish, calls, created, fault, read } = await visitBluesky()
const { account: person } = blueskySeed

test('a link card has what the author wrote, and its image as a blob; the page is not fetched', async () => {
  const external = { url: 'https://bakery.example/a?b=1', title: 'Bread', own: 1 }
  await publish(await open({ metadata: { external } }))
  expect(created().record.embed).toEqual({
    $type: 'app.bsky.embed.external',
    external: { uri: 'https://bakery.example/a?b=1', title: 'Bread', description: '' },
  })
  expect(platforms.published()[0]).toMatchObject({ extras: ['card: Bread (https://bakery.example/a?b=1)'] })
  expect(calls()).toEqual(['create'])
  const metadata = { external: { ...external, description: 'From flour', thumbMediaAssetId: 'med_1' } }
  const assets = { 'external.thumbMediaAssetId': await site.file() }
  const { id } = await publish(await open({ metadata, assets }))
  expect(calls()).toEqual(['upload', 'create'])
  expect(created().record.embed.external).toEqual({
    uri: 'https://bakery.example/a?b=1',
    title: 'Bread',
    description: 'From flour',
    thumb: { $type: 'blob', ref: { $link: expect.any(String) }, mimeType: 'image/png', size: png.length },
  })
  expect((await read(id)).value).toMatchObject({ embed: { $type: 'app.bsky.embed.external' } })
})

const other = 'at://did:plc:another/app.bsky.feed.post/3m6hwzbhq2k2a'

test('a quote names the version of the post, alone and alongside media or a card', async () => {
  const first = await publish(await open({ text: 'first' }))
  const { uri, cid } = await read(first.id)
  const record = { $type: 'app.bsky.embed.record', record: { uri, cid } }
  // The reset of `open` would remove the post that is quoted.
  const ctx = site.ctx()
  const account = accountOf(await connect(ctx, login()))
  const send = (post: Partial<OutgoingPost>) => publish({ ctx, account, post: site.post(post) })
  await send({ text: 'second', metadata: { quoteUri: uri } })
  expect(created().record.embed).toEqual(record)
  await send({ text: 'by handle', metadata: { quoteUri: uri.replace(person.did, person.handle) } })
  expect(created().record.embed).toEqual(record)
  await send({ text: 'third', metadata: { quoteUri: uri }, media: [await site.file()] })
  expect(created().record.embed).toMatchObject({
    $type: 'app.bsky.embed.recordWithMedia',
    record,
    media: { $type: 'app.bsky.embed.images' },
  })
  const external = { url: 'https://bakery.example/', title: 'Bread' }
  await send({ text: 'fourth', metadata: { quoteUri: uri, external } })
  expect(created().record.embed).toMatchObject({ record, media: { $type: 'app.bsky.embed.external' } })
  const unknown = uri.replace(/.$/, (last) => (last === '2' ? '3' : '2'))
  const gone = send({ text: 'fifth', metadata: { quoteUri: unknown } })
  expect(await failureOf(gone)).toMatchObject({
    errorClass: 'invalid',
    message: 'Bluesky does not have the post to quote. Correct metadata.bluesky.quoteUri.',
  })
})

test.each([
  ['post', 'Could not locate record'],
  ['account', 'Could not find repo'],
])('a quote of another server, which does not have the %s', async (_, reason) => {
  const call = await open({ metadata: { quoteUri: other } })
  const body = { error: 'InvalidRequest', message: `${reason}: ${other}` }
  fault({ fault: 'status', operation: 'read', status: 400, body })
  expect(await failureOf(prepared(call))).toMatchObject({
    errorClass: 'invalid',
    message: 'Bluesky does not have the post to quote. Correct metadata.bluesky.quoteUri.',
  })
})

test('warns of content by labels of the record', async () => {
  await publish(await open({ metadata: { labels: ['nudity', 'graphic-media'] } }))
  expect(created().record.labels).toEqual({
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
  expect(created()).toEqual({
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

test('an empty gate forbids replies; a reply has no gate, and without gates the record is put', async () => {
  await publish(await open({ metadata: { replyGate: [] } }))
  expect(created().writes).toHaveLength(2)
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

test('a live post is removed with its gates, also when the call is repeated', async () => {
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
