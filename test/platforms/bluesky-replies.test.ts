import { expect, test } from 'vitest'
import { blueskySeed } from '../../infra/local/platforms/bluesky.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { bluesky } from '../../shared/platforms/bluesky/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { visitBluesky } from './bluesky-visit.ts'
import { failureOf } from './site.ts'

const { site, platforms, open, prepared, calls, read } = await visitBluesky()
const { account: person } = blueskySeed

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
  const [one, two] = [await read(first.id), await read(second.id)]
  const sent = platforms.calls().filter(({ operation }) => operation === 'create')
  const [rootRef, parentRef] = [one, two].map(({ uri, cid }) => ({ uri, cid }))
  expect(sent.map(({ body }) => JSON.parse(String(body)).record)).toEqual([
    { $type: 'app.bsky.feed.post', text: 'One', createdAt: one.value.createdAt },
    {
      $type: 'app.bsky.feed.post',
      text: 'Two',
      createdAt: two.value.createdAt,
      reply: { root: rootRef, parent: rootRef },
    },
    {
      $type: 'app.bsky.feed.post',
      text: 'Three',
      createdAt: (await read(third.id)).value.createdAt,
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
  const times = await Promise.all(ids.map(async (id) => Date.parse((await read(id)).value.createdAt) - dueMs))
  expect(times).toEqual([0, 1, 2])
  expect(ids.toSorted()).toEqual(ids)
  const later = await send(start, { text: 'Four', replyTo: ids.at(-1) ?? '', scheduledAtMs: dueMs + 60_000 })
  expect(Date.parse((await read(later.id)).value.createdAt) - dueMs).toBe(60_000)
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
