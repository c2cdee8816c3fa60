import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { everyPlatform } from '../../infra/local/platforms/every.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { adapterOf, clientKeyOf } from '../../shared/platforms/adapters.ts'
import { connectorOf } from '../../shared/platforms/connectors.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { authorize } from './arrive.ts'
import { metaError } from './meta-error.ts'
import { accountOf, failureOf, startSite } from './site.ts'
import { clip } from './visit.ts'

const site = await startSite()
const { platforms } = site
beforeEach(() => platforms.reset())
afterAll(() => site.close())

const video = async () => ({ media: [await site.file({ mimeType: 'video/mp4' }, clip)] })
const reddit = { subreddit: 'test', title: 'A cake in May', kind: 'self' }
const drafts: Readonly<Record<Platform, () => Partial<OutgoingPost> | Promise<Partial<OutgoingPost>>>> = {
  youtube: video,
  reddit: () => ({ metadata: reddit }),
  threads: () => ({}),
  facebook: () => ({}),
}
type Platform = 'youtube' | 'reddit' | 'threads' | 'facebook'

/** A live post, and a call about it. */
const publish = async (platform: Platform, more: Partial<OutgoingPost> = {}) => {
  const ctx = site.ctx()
  const adapter = adapterOf(platform)
  const account = accountOf(await authorize(ctx, connectorOf(platform)))
  const call: PlatformCall = { ctx, account, post: site.post({ ...(await drafts[platform]()), ...more }) }
  let done = await adapter.prepare?.(call, undefined)
  for (let step = 0; done && 'resume' in done && step < 60; step += 1) {
    site.pass(done.waitSeconds * 1000)
    done = await adapter.prepare?.(call, done.resume)
  }
  if (!done || !('ready' in done)) throw new Error('expected to be ready')
  const built = await adapter.build?.(call, done.ready)
  const { id } = await adapter.commit(call, done.ready, clientKeyOf(adapter, call.post), built)
  expect(platforms.published()).toHaveLength(1)
  return { call, adapter, id: String(id) }
}

const lastOf = (operation: string) => {
  const call = platforms.calls().findLast((call) => call.operation === operation)
  return { ...call, fields: Object.fromEntries(new URLSearchParams(String(call?.body))) }
}

test.each([
  ['youtube', (id: string) => ({ method: 'DELETE', path: '/youtube/v3/videos', query: `id=${id}` })],
  ['reddit', (id: string) => ({ method: 'POST', path: '/api/del', fields: { id } })],
  ['threads', (id: string) => ({ method: 'DELETE', path: `/v1.0/${id}` })],
  ['facebook', (id: string) => ({ method: 'DELETE', path: `/v25.0/${id}` })],
] as const)('%s: a post is deleted by its ID, and one that is gone counts as deleted', async (platform, request) => {
  const { call, adapter, id } = await publish(platform)
  await adapter.remove?.(call, id)
  expect(lastOf('delete')).toMatchObject(request(id))
  expect(platforms.published()).toEqual([])
  await adapter.remove?.(call, id)
})

test.each([
  ['youtube', 'YouTube no longer has the post.'],
  ['reddit', 'Reddit no longer has the post.'],
  ['facebook', 'Facebook no longer has the post.'],
] as const)('%s: a post that is gone is not edited', async (platform, message) => {
  const { call, adapter, id } = await publish(platform)
  await adapter.remove?.(call, id)
  const edit = adapter.edit?.(call, id) ?? Promise.resolve()
  expect(await failureOf(edit)).toMatchObject({ errorClass: 'invalid', message })
})

test('YouTube: an edit replaces the snippet, and who can see the video stays', async () => {
  const metadata = { title: 'One', tags: ['bread', 'rye'], categoryId: '26', privacyStatus: 'unlisted' }
  const { call, adapter, id } = await publish('youtube', { metadata })
  const edited = { title: 'Two', defaultLanguage: 'en', privacyStatus: 'unlisted' }
  await adapter.edit?.({ ...call, post: { ...call.post, text: 'After', metadata: edited } }, id)
  const { method, path, query, body } = lastOf('edit')
  expect([method, path, query]).toEqual(['PUT', '/youtube/v3/videos', 'part=snippet'])
  expect(JSON.parse(String(body))).toEqual({
    id,
    snippet: { title: 'Two', description: 'After', categoryId: '22', defaultLanguage: 'en' },
  })
  expect(platforms.published()).toMatchObject([{ text: 'Two\n\nAfter' }])
})

test.each(['video', 'reel'])('Facebook: the text of a %s is its description', async (format) => {
  const { call, adapter, id } = await publish('facebook', { metadata: { format }, ...(await video()) })
  await adapter.edit?.({ ...call, post: { ...call.post, text: 'After' } }, id)
  const { access_token, appsecret_proof, ...fields } = lastOf('create').fields
  expect([lastOf('create').path, fields]).toEqual([`/v25.0/${id}`, { description: 'After' }])
  expect(platforms.published()).toMatchObject([{ text: 'After' }])
})

test.each(['threads', 'facebook'] as const)('%s: an account that is lost deletes nothing', async (platform) => {
  const { call, adapter, id } = await publish(platform)
  const gone = metaError(100, 33, 'Unsupported delete request')
  platforms.faults.add({ platform, operation: 'delete', times: 1, ...gone })
  const operation = platform === 'threads' ? 'status' : 'page'
  platforms.faults.add({ platform, operation, times: 1, ...gone })
  const removal = adapter.remove?.(call, id) ?? Promise.resolve()
  expect(await failureOf(removal)).toMatchObject({ errorClass: 'permission' })
  expect(platforms.published()).toHaveLength(1)
})

test.each([
  ['youtube', 'permission'],
  ['reddit', 'auth'],
  ['threads', 'permission'],
] as const)('%s: without the scope, publishing works, and a deletion says to reconnect', async (platform, errorClass) => {
  const secrets = new SecretsManagerClient({})
  const app = everyPlatform.find(({ id }) => id === platform)?.app
  const put = (more: object) => {
    const SecretString = JSON.stringify({ ...app, ...more })
    return secrets.send(new PutSecretValueCommand({ SecretId: `platforms/${platform}`, SecretString }))
  }
  await put({ scopes: '' })
  const { call, adapter, id } = await publish(platform)
  await put({})
  secrets.destroy()
  const failure = await failureOf(adapter.remove?.(call, id) ?? Promise.resolve())
  expect(failure).toMatchObject({ errorClass, message: expect.stringMatching(/Reconnect the account/) })
  expect(platforms.published()).toHaveLength(1)
})
