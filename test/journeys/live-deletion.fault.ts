import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { adapterOf } from '../../shared/platforms/adapters.ts'
import { livePosts } from '../../shared/platforms/registry/live-posts.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { eventsOf } from './author.ts'
import { openLivePosts } from './live-posts.ts'
import { dyingAtEffect, makeTrouble } from './trouble.ts'

const deletable = platformIds.filter((id) => livePosts[id].deletion === true)

const seam = makeTrouble()
let kit: Kit
let live: Awaited<ReturnType<typeof openLivePosts>>
beforeAll(async () => {
  kit = await start({ observe: seam.observe })
  live = await openLivePosts(kit, [...deletable, 'tiktok'], ['post.live_deleted', 'post.live_delete_failed'])
}, 120_000)
afterAll(() => kit.close())
afterEach(() => kit.platforms.faults.clear())

const get = (id: string) => kit.api.posts.get({ params: { id } })
const deleteLive = (id: string) => kit.api.posts.delete({ params: { id }, query: { live: 'true' } })
const typesOf = (id: string) => eventsOf(kit, id).map(({ type }) => type)
const deletions = (platform: PlatformId) =>
  kit.platforms.calls().filter((call) => call.platform === platform && call.operation === 'delete').length

let count = 0
/** A post that is live; its id. */
const publish = async (platform: PlatformId) => {
  count += 1
  const id = await live.publish(platform, `A post of its own, number ${count}`)
  expect(await get(id)).toMatchObject({ status: 'published', liveDeletedAt: null, liveDeletionError: null })
  return id
}

/** The platform's posts that are live. */
const liveOn = (platform: PlatformId) => kit.platforms.published().filter((post) => post.platform === platform).length

test.each(
  deletable,
)('%s: a live post is deleted there, its record stays, and an event reports it', async (platform) => {
  const before = liveOn(platform)
  const id = await publish(platform)
  expect(liveOn(platform)).toBe(before + 1)
  expect(await deleteLive(id)).toEqual({ id, deleted: false, liveDeletion: 'pending' })
  await kit.service.pass(minuteMs)
  expect(liveOn(platform)).toBe(before)
  const post = await get(id)
  expect(post).toMatchObject({ status: 'published', liveDeletionError: null, liveDeletedAt: expect.any(String) })
  expect(eventsOf(kit, id)).toMatchObject([
    { type: 'post.live_deleted', data: { status: 'published', liveDeletedAt: post.liveDeletedAt } },
  ])
  expect(await deleteLive(id)).toEqual({ id, deleted: false, liveDeletion: 'done' })
  await kit.service.pass(minuteMs)
  expect(typesOf(id)).toEqual(['post.live_deleted'])
})

test.each(deletable)('%s: a lost response is retried, and a missing post counts as deleted', async (platform) => {
  const id = await publish(platform)
  const before = deletions(platform)
  kit.platforms.faults.add({ platform, operation: 'delete', times: 1, fault: 'landed_then_reset' })
  expect(await Promise.all([deleteLive(id), deleteLive(id)])).toMatchObject([
    { liveDeletion: 'pending' },
    { liveDeletion: 'pending' },
  ])
  await kit.service.pass(2 * minuteMs)
  expect(deletions(platform) - before).toBe(2)
  expect([typesOf(id), (await get(id)).liveDeletedAt]).toEqual([['post.live_deleted'], expect.any(String)])
})

/** What the publisher does to remove a post: claim, read, call, commit, and what stands between them. */
const steps = 5

test.each([
  'before',
  'after',
] as const)('a publisher that dies %s any of its effects is followed by another', async (side) => {
  for (let step = 0; step < steps; step += 1) {
    const id = await publish('bluesky')
    const death = dyingAtEffect(side, step)
    seam.begin(death.observe)
    await deleteLive(id)
    await kit.service.pass(10 * minuteMs, { tickMinutes: 1 })
    seam.end()
    expect([death.hasDied(), (await get(id)).liveDeletedAt, typesOf(id)], `effect ${step}`).toEqual([
      true,
      expect.any(String),
      ['post.live_deleted'],
    ])
  }
})

test('an outage of an hour is outlasted, and lost messages are made up for', async () => {
  const id = await publish('bluesky')
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'delete', times: 1_000_000, fault: 'html_503' })
  await deleteLive(id)
  await kit.service.pass(hourMs, { tickMinutes: 5 })
  expect(await get(id)).toMatchObject({ liveDeletedAt: null, liveDeletionError: null })
  kit.platforms.faults.clear()
  kit.service.queues.faults.onSend = () => 'lose'
  await kit.service.pass(3 * hourMs, { tickMinutes: 5 })
  kit.service.queues.faults.onSend = undefined
  await kit.service.pass(hourMs, { tickMinutes: 5 })
  expect((await get(id)).liveDeletedAt).toEqual(expect.any(String))
  expect(typesOf(id)).toEqual(['post.live_deleted'])
})

test('limits of the platform use up no try', async () => {
  const id = await publish('bluesky')
  const limited = { platform: 'bluesky', operation: 'delete', fault: 'rate_limited', retryAfterSeconds: 600 } as const
  kit.platforms.faults.add({ ...limited, times: 12 })
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'delete', times: 1, fault: 'html_503' })
  await deleteLive(id)
  await kit.service.pass(3 * hourMs, { tickMinutes: 5 })
  expect((await get(id)).liveDeletedAt).toEqual(expect.any(String))
})

test('a refusal is reported by post and event; the account stays connected, and the deletion can be requested again', async () => {
  const id = await publish('bluesky')
  const body = { error: 'InvalidRequest', message: 'Not now' }
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'delete', times: 1, fault: 'status', status: 400, body })
  await deleteLive(id)
  await kit.service.pass(minuteMs)
  const liveDeletionError = expect.stringContaining('Not now')
  expect(await get(id)).toMatchObject({ status: 'published', liveDeletedAt: null, liveDeletionError })
  expect(eventsOf(kit, id)).toMatchObject([{ type: 'post.live_delete_failed', data: { liveDeletionError } }])
  await deleteLive(id)
  await kit.service.pass(minuteMs)
  expect(await get(id)).toMatchObject({ liveDeletedAt: expect.any(String), liveDeletionError: null })
  expect(typesOf(id)).toEqual(['post.live_delete_failed', 'post.live_deleted'])
})

const pending = { status: 409, code: 'live_change_pending' }

test('a record, a workspace, and an account stay until the platform has deleted the live post', async () => {
  const id = await publish('bluesky')
  const before = liveOn('bluesky')
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'delete', times: 3, fault: 'html_503' })
  await deleteLive(id)
  const deleteRecord = () => kit.api.posts.delete({ params: { id } })
  await expect(deleteRecord()).rejects.toMatchObject({
    ...pending,
    message: expect.stringContaining('post.live_deleted'),
  })
  await kit.service.pass(1000)
  await expect(deleteRecord()).rejects.toMatchObject(pending)
  const [workspace] = await kit.sessionApi.workspaces.list()
  const { id: workspaceId = '', slug = '' } = workspace ?? {}
  const closing = kit.sessionApi.workspaces.delete({ params: { id: workspaceId }, query: { confirm: slug } })
  await expect(closing).rejects.toMatchObject(pending)
  const blockers = async () => (await kit.sessionApi.auth.previewDeletion()).blockers.map(({ code }) => code)
  expect(await blockers()).toContain('live_deletions_pending')
  await kit.service.pass(10 * minuteMs)
  expect(liveOn('bluesky')).toBe(before - 1)
  expect(typesOf(id)).toEqual(['post.live_deleted'])
  expect(await deleteRecord()).toMatchObject({ id, deleted: true })
  expect(await blockers()).not.toContain('live_deletions_pending')
})

test('a live deletion and a concurrent deletion of the record both take effect', async () => {
  for (let turn = 0; turn < 4; turn += 1) {
    const id = await publish('bluesky')
    const before = liveOn('bluesky')
    const [live, record] = await Promise.allSettled([deleteLive(id), kit.api.posts.delete({ params: { id } })])
    await kit.service.pass(minuteMs)
    expect(liveOn('bluesky')).toBe(live.status === 'fulfilled' ? before - 1 : before)
    expect([live.status, record.status].sort()).toEqual(['fulfilled', 'rejected'])
  }
})

test('an account that is disconnected while its live post is to be deleted is reported by post and event', async () => {
  const id = await publish('mastodon')
  kit.platforms.faults.add({ platform: 'mastodon', operation: 'delete', times: 1, fault: 'html_503' })
  await deleteLive(id)
  await kit.service.pass(1000)
  const [account] = (await kit.sessionApi.socialAccounts.list()).filter(({ providerId }) => providerId === 'mastodon')
  await kit.sessionApi.socialAccounts.disconnect({ params: { id: account?.id ?? '' } })
  await kit.service.pass(minuteMs)
  expect(await get(id)).toMatchObject({ liveDeletionError: expect.stringContaining('Reconnect it') })
  expect(typesOf(id)).toEqual(['post.live_delete_failed'])
  expect(await kit.api.posts.delete({ params: { id } })).toMatchObject({ deleted: true, published: true })
})

test('a post that is not live, or cannot be deleted there, is refused with the reason', async () => {
  const scheduledAt = new Date(kit.clock.now() + hourMs).toISOString()
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'Later', scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  await expect(deleteLive(id)).rejects.toMatchObject({ status: 400, code: 'invalid_post_status' })
  await kit.api.posts.cancel({ params: { id } })
})

test('each platform says whether its API deletes posts, or why not', () => {
  for (const id of platformIds) {
    const isOffered = livePosts[id].deletion
    expect(adapterOf(id).remove !== undefined, id).toBe(isOffered === true)
    if (isOffered !== true) expect(isOffered).toMatch(/^[A-Z].+\.$/)
  }
})
