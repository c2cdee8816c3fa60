import { afterAll, beforeEach, expect, test } from 'vitest'
import { threadsSeed } from '../../infra/local/platforms/threads.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { endsConnection } from '../../shared/platforms/platform-error.ts'
import { threads as connector } from '../../shared/platforms/threads/connect.ts'
import { threads } from '../../shared/platforms/threads/publish.ts'
import { startGraphSite } from './graph-site.ts'
import { metaError } from './meta-error.ts'
import { failureOf } from './site.ts'

const site = await startGraphSite('threads', threads, connector)
const { platforms, files, fault } = site
const [person] = threadsSeed.people

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

/** A published post, and a call that replies to it. */
const replyTo = async (more: Partial<PlatformCall['post']>) => {
  const call = await site.open({ text: 'First' })
  const { id, url } = await site.publish(call)
  const post = site.post({ replyTo: String(id), ...more })
  return { parent: { id, url }, call: { ...call, post } }
}

const forms = () => site.golden('upload').map(({ fields }) => fields)

test('a text that replies names the post before it, and waits until Threads shows that one', async () => {
  const { parent, call } = await replyTo({ text: 'Second' })
  const { ready, waits } = await site.prepare(call)
  expect(waits).toEqual([2, 5])
  const made = { media_type: 'TEXT', text: 'Second', reply_to_id: parent.id }
  expect(forms().slice(1)).toEqual([made, made, made])
  const { url } = await threads.commit(call, ready, 'key', undefined)
  expect(site.golden('create').at(-1)).toEqual({
    method: 'POST',
    path: `/v1.0/${person.id}/threads_publish`,
    fields: { creation_id: String(ready['container']) },
  })
  expect(platforms.published()).toMatchObject([
    { text: 'First', replyTo: null },
    { text: 'Second', replyTo: parent.url, url },
  ])
})

test('a picture names the post before it in its container, several in the one that holds them', async () => {
  const [picture, other] = [await files.jpeg(), await files.png()]
  const { parent, call } = await replyTo({ text: '', media: [picture] })
  site.pass(10_000)
  await site.publish(call)
  expect(forms()[1]).toMatchObject({ media_type: 'IMAGE', reply_to_id: parent.id })
  await site.publish({ ...call, post: { ...call.post, media: [picture, other] } })
  const [first, second, holder] = forms().slice(2)
  expect([first, second].map((form) => form?.['reply_to_id'])).toEqual([undefined, undefined])
  expect(holder).toMatchObject({ media_type: 'CAROUSEL', reply_to_id: parent.id })
  expect(platforms.published().map((post) => post.replyTo)).toEqual([null, parent.url, parent.url])
})

test('pictures that are ready before Threads shows the post are not made again', async () => {
  const { call } = await replyTo({ media: [await files.jpeg(), await files.png()] })
  const refused = { ...metaError(24, 4279009), operation: 'upload' } as const
  const done = await threads.prepare?.(call, undefined)
  if (!done || 'ready' in done) throw new Error('it was ready too early')
  site.pass(20_000)
  fault({ ...refused, times: 3 })
  const { waits } = await site.prepare(call, JSON.parse(JSON.stringify(done.resume)))
  expect(waits.slice(0, 3)).toEqual([5, 10, 20])
  expect(forms().filter((form) => form['media_type'] === 'IMAGE')).toHaveLength(2)
  expect(forms().filter((form) => form['media_type'] === 'CAROUSEL')).toHaveLength(4)
})

test('a video that replies is published half a minute after its container was made, or it would reply to nothing', async () => {
  const { parent, call } = await replyTo({ media: [await files.mp4()] })
  site.pass(10_000)
  const startedAt = site.now()
  // What takes less than that is waited for all the same.
  fault({ operation: 'status', fault: 'status', status: 200, body: { id: '1', status: 'FINISHED' } })
  const { ready, waits } = await site.prepare(call)
  expect(waits).toEqual([2, 28, 5, 10])
  expect(site.now() - startedAt).toBeGreaterThanOrEqual(30_000)
  await threads.commit(call, ready, 'key', undefined)
  expect(platforms.published().map((post) => post.replyTo)).toEqual([null, parent.url])
})

test.each([
  ['media that is not there', metaError(24, 4279009)],
  ['a resource that is not there', metaError(24)],
  ['an object that is not there', metaError(100, 33)],
])('a reply whose post never shows, with the error %s, is retried later', async (_, script) => {
  const { call } = await replyTo({})
  fault({ ...script, operation: 'upload', times: 100 })
  const before = site.now()
  expect(await failureOf(site.prepare(call))).toMatchObject({
    errorClass: 'transient',
    message: 'Threads does not show the post that this one replies to.',
  })
  expect(site.now() - before).toBeGreaterThan(10 * 60_000)
  expect(site.now() - before).toBeLessThan(12 * 60_000)
  platforms.faults.clear()
})

test('the same error for a post that is no reply is not retried', async () => {
  const call = await site.open()
  fault({ ...metaError(24, 4279009), operation: 'upload' })
  expect(await failureOf(site.prepare(call))).toMatchObject({ errorClass: 'transient', info: { code: '24/4279009' } })
})

test('an account without the permission to reply stays connected', async () => {
  const { call } = await replyTo({})
  const [connection] = await site.connect({ scope: 'threads_basic,threads_content_publish' })
  if (connection === undefined) throw new Error('nothing was connected')
  const error = await failureOf(site.prepare({ ...call, account: site.accountFrom(connection) }))
  expect(error).toMatchObject({
    errorClass: 'permission',
    message:
      'Threads does not let this service reply for the account, which threads and first comments need. Reconnect the account and grant all permissions.',
  })
  expect(endsConnection(error)).toBe(false)
})

test('an account that the service cannot see anymore is not taken for one that may not reply', async () => {
  const { call } = await replyTo({})
  for (const operation of ['upload', 'status']) fault({ ...metaError(100, 33), operation })
  const error = await failureOf(site.prepare(call))
  expect([error.errorClass, endsConnection(error)]).toEqual(['permission', true])
})

test('a reply whose response was lost is found among the replies of the account', async () => {
  const { call } = await replyTo({ text: 'Lost' })
  const attempt = await site.armed(call)
  expect(await threads.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(threads.commit(call, attempt.ref, 'key', undefined))).toMatchObject({ errorClass: 'unknown' })
  const { url } = platforms.published().at(-1) ?? {}
  expect(await threads.probe(call, attempt)).toEqual({ kind: 'published', id: expect.stringMatching(/^\d+$/), url })
  expect(site.golden('read')).toEqual([
    {
      method: 'GET',
      path: `/v1.0/${person.id}/replies`,
      fields: { fields: 'id,text,permalink,timestamp', limit: '25' },
    },
  ])
})
