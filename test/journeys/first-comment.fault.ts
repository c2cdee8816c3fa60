import { afterAll, afterEach, expect, test } from 'vitest'
import { linkedinSeed } from '../../infra/local/platforms/linkedin.ts'
import { present } from '../../shared/db/expression.ts'
import { update } from '../../shared/db/table.ts'
import { posts } from '../../shared/posts/lifecycle/row.ts'
import type { PlatformId } from '../../shared/resources.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { eventsOf } from './author.ts'
import { commented, openComments, operations } from './comments.ts'
import { connectLinkedIn } from './doubt-matrix/subjects.ts'
import { dyingAtEffect, makeTrouble } from './trouble.ts'

const seam = makeTrouble()
const { kit, nextText, schedule } = await openComments({ observe: seam.observe })
const url = `${kit.service.inboxUrl}/hooks/comment`
await kit.sessionApi.webhooks.create({
  body: { name: 'comment', url, events: ['post.published', 'post.comment_published', 'post.comment_failed'] },
})
afterAll(() => kit.close())
afterEach(() => kit.platforms.faults.clear())

const get = (id: string) => kit.api.posts.get({ params: { id } })
const typesOf = (id: string) => eventsOf(kit, id).map(({ type }) => type)
const onPlatform = (platform: PlatformId) => kit.platforms.published().filter((post) => post.platform === platform)
const withText = (platform: PlatformId, text: string) => onPlatform(platform).filter((post) => post.text === text)

test.each(commented)('%s: the comment follows the post, by the account, as a reply to it', async (platform) => {
  const text = nextText('First!')
  const { id, firstComment } = await schedule(platform, { firstComment: { text } })
  expect(firstComment).toMatchObject({ text, delaySeconds: 0, status: 'scheduled', url: null })
  await kit.service.pass(4 * minuteMs)
  const post = await get(id)
  expect(post).toMatchObject({
    status: 'published',
    firstComment: { status: 'published', commentId: expect.any(String), error: null, mayBeLive: false },
  })
  const comments = withText(platform, text)
  expect(comments).toHaveLength(1)
  // Facebook's stand-in names the post by its whole id.
  const lastOf = (address: string | null = '') => address?.split(/[/_]/).filter(Boolean).at(-1)
  expect(lastOf(comments[0]?.replyTo)).toBe(lastOf(post.publishedPostUrl))
  expect(eventsOf(kit, id)).toMatchObject([
    { type: 'post.published' },
    {
      type: 'post.comment_published',
      data: { commentId: post.firstComment?.commentId, commentUrl: post.firstComment?.url, status: 'published' },
    },
  ])
})

test.each(commented)('%s: a comment whose answer is lost is there once', async (platform) => {
  const text = nextText('Lost')
  const { id } = await schedule(platform, { firstComment: { text, delaySeconds: 300 } })
  await kit.service.pass(2 * minuteMs)
  expect(await get(id)).toMatchObject({ status: 'published', firstComment: { status: 'scheduled' } })
  const operation = operations[platform] ?? ''
  kit.platforms.faults.add({ platform, operation, times: 1, fault: 'landed_then_reset' })
  await kit.service.pass(20 * minuteMs, { tickMinutes: 1 })
  expect([withText(platform, text).length, typesOf(id)]).toEqual([1, ['post.published', 'post.comment_published']])
})

test.each(commented)('%s: a comment that never arrived is sent again, once', async (platform) => {
  const text = nextText('Again')
  const { id } = await schedule(platform, { firstComment: { text, delaySeconds: 300 } })
  await kit.service.pass(2 * minuteMs)
  const operation = operations[platform] ?? ''
  kit.platforms.faults.add({ platform, operation, times: 1, fault: 'reset_before' })
  await kit.service.pass(30 * minuteMs, { tickMinutes: 1 })
  expect([withText(platform, text).length, typesOf(id)]).toEqual([1, ['post.published', 'post.comment_published']])
})

test.each([
  ['bluesky', 'rkey'],
  ['discord', 'nonce'],
] as const)('%s: every try of a comment has the same %s, so that a late call makes no second one', async (platform, name) => {
  const text = nextText('Keyed')
  await schedule(platform, { firstComment: { text, delaySeconds: 300 } })
  await kit.service.pass(2 * minuteMs)
  kit.platforms.faults.add({ platform, operation: 'create', times: 3, fault: 'html_503' })
  await kit.service.pass(hourMs, { tickMinutes: 1 })
  const sent = kit.platforms
    .calls()
    .filter((call) => call.platform === platform && call.body.includes(text))
    .map(({ body }) => JSON.parse(body.toString()))
  expect(sent.length).toBeGreaterThan(3)
  expect(new Set(sent.map((json) => json[name])).size).toBe(1)
  expect(withText(platform, text)).toHaveLength(1)
})

test('the state of a comment is preserved if the post changes while it is sent', async () => {
  const text = nextText('Meanwhile')
  const socialAccountIds = [await connectLinkedIn(kit, linkedinSeed.ada.name)]
  const { id } = await schedule('linkedin', { socialAccountIds, firstComment: { text, delaySeconds: 300 } })
  await kit.service.pass(2 * minuteMs)
  seam.begin(async (effect, run) => {
    const result = await run()
    const key = posts.key({ workspaceId: kit.workspaceId, id })
    if (effect.action === 'POST /rest/socialActions/{urn}/comments')
      await update(kit.ctx, key, { add: { sequence: 1 } }, present('PK'))
    return result
  })
  await kit.service.pass(10 * minuteMs, { tickMinutes: 1 })
  seam.end()
  expect(await get(id)).toMatchObject({ firstComment: { status: 'published', mayBeLive: false } })
  expect(withText('linkedin', text)).toHaveLength(1)
})

/** What the publisher does: claim, read, journal, call, commit, and what stands between them. */
const steps = 6

test.each([
  'before',
  'after',
] as const)('a publisher that dies %s any of its effects doubles and loses nothing', async (side) => {
  for (let step = 0; step < steps; step += 1) {
    const text = nextText('Killed')
    const { id } = await schedule('x', { firstComment: { text, delaySeconds: 300 } })
    await kit.service.pass(2 * minuteMs)
    const death = dyingAtEffect(side, step)
    seam.begin(death.observe)
    await kit.service.pass(30 * minuteMs, { tickMinutes: 1 })
    seam.end()
    expect([death.hasDied(), withText('x', text).length, typesOf(id)], `effect ${step}`).toEqual([
      true,
      1,
      ['post.published', 'post.comment_published'],
    ])
  }
}, 120_000)

test('an outage and lost messages delay the comment, and never the post', async () => {
  const text = nextText('Patience')
  const { id } = await schedule('facebook', { firstComment: { text } })
  kit.platforms.faults.add({ platform: 'facebook', operation: 'comment', times: 1_000_000, fault: 'html_503' })
  await kit.service.pass(hourMs, { tickMinutes: 5 })
  expect(await get(id)).toMatchObject({ status: 'published', firstComment: { status: 'scheduled' } })
  kit.platforms.faults.clear()
  kit.service.queues.faults.onSend = () => 'lose'
  await kit.service.pass(3 * hourMs, { tickMinutes: 5 })
  kit.service.queues.faults.onSend = undefined
  await kit.service.pass(hourMs, { tickMinutes: 5 })
  expect([withText('facebook', text).length, typesOf(id)]).toEqual([1, ['post.published', 'post.comment_published']])
})

test('a refusal fails the comment alone: the post and the account are unchanged', async () => {
  const { id, socialAccountId } = await schedule('facebook', { firstComment: { text: nextText('Refused') } })
  const body = { error: { message: '(#200) Requires pages_manage_engagement', type: 'OAuthException', code: 200 } }
  kit.platforms.faults.add({ platform: 'facebook', operation: 'comment', times: 1, fault: 'status', status: 403, body })
  await kit.service.pass(3 * minuteMs)
  expect(await get(id)).toMatchObject({
    status: 'published',
    error: null,
    firstComment: {
      status: 'failed',
      error:
        'Facebook does not allow this account or app to do that: (#200) Requires pages_manage_engagement. Reconnect the account so that it may comment.',
      mayBeLive: false,
    },
  })
  expect(typesOf(id)).toEqual(['post.published', 'post.comment_failed'])
  const account = (await kit.api.socialAccounts.list()).find((account) => account.id === socialAccountId)
  expect(account).toMatchObject({ isConnected: true, needsReconnect: false })
})

test('a refusal that says to reconnect the account says so once', async () => {
  const { id } = await schedule('youtube', { firstComment: { text: nextText('Refused') } })
  const body = { error: { message: 'Insufficient Permission', errors: [{ reason: 'insufficientPermissions' }] } }
  kit.platforms.faults.add({ platform: 'youtube', operation: 'comment', times: 1, fault: 'status', status: 403, body })
  await kit.service.pass(10 * minuteMs)
  const error = 'YouTube access lacks permissions that publishing needs. Reconnect the account and grant all of them.'
  expect(await get(id)).toMatchObject({ status: 'published', firstComment: { status: 'failed', error } })
})

test('a comment that cannot be read for six hours has an unknown outcome, and is not sent again', async () => {
  const text = nextText('Dark')
  const { id } = await schedule('facebook', { firstComment: { text, delaySeconds: 300 } })
  await kit.service.pass(2 * minuteMs)
  kit.platforms.faults.add({ platform: 'facebook', operation: 'comment', times: 1, fault: 'landed_then_reset' })
  kit.platforms.faults.add({ platform: 'facebook', operation: 'comments', times: 1_000_000, fault: 'html_503' })
  await kit.service.pass(8 * hourMs, { tickMinutes: 5 })
  expect(await get(id)).toMatchObject({ firstComment: { status: 'failed', mayBeLive: true } })
  expect([withText('facebook', text).length, typesOf(id)]).toEqual([1, ['post.published', 'post.comment_failed']])
})

test('a comment of a LinkedIn member whose answer is lost is never sent again: it cannot be read back', async () => {
  const text = nextText('Unreadable')
  const socialAccountIds = [await connectLinkedIn(kit, linkedinSeed.ada.name)]
  const { id } = await schedule('linkedin', { socialAccountIds, firstComment: { text, delaySeconds: 300 } })
  await kit.service.pass(2 * minuteMs)
  kit.platforms.faults.add({ platform: 'linkedin', operation: 'comment', times: 1, fault: 'landed_then_reset' })
  await kit.service.pass(10 * minuteMs, { tickMinutes: 1 })
  expect(await get(id)).toMatchObject({ firstComment: { status: 'failed', mayBeLive: true } })
  expect([withText('linkedin', text).length, typesOf(id)]).toEqual([1, ['post.published', 'post.comment_failed']])
})

test('a comment in a community on X whose answer is lost is never sent again: the timeline proves no absence', async () => {
  const text = nextText('Among bakers')
  const metadata = { x: { communityId: '77' } }
  const { id } = await schedule('x', { metadata, firstComment: { text, delaySeconds: 300 } })
  await kit.service.pass(2 * minuteMs)
  const empty = { status: 200, body: { meta: { result_count: 0 } } }
  kit.platforms.faults.add({ platform: 'x', operation: 'create', times: 1, fault: 'landed_then_reset' })
  kit.platforms.faults.add({ platform: 'x', operation: 'timeline', times: 1_000_000, fault: 'status', ...empty })
  await kit.service.pass(hourMs, { tickMinutes: 5 })
  // It may be live: its record stays until that is known.
  await expect(kit.api.posts.delete({ params: { id } })).rejects.toMatchObject({
    status: 409,
    code: 'live_change_pending',
  })
  await kit.service.pass(7 * hourMs, { tickMinutes: 5 })
  const made = kit.platforms.calls().filter(({ platform, body }) => platform === 'x' && String(body).includes(text))
  expect(made.map(({ operation }) => operation)).toEqual(['create'])
  expect(await get(id)).toMatchObject({ firstComment: { status: 'failed', mayBeLive: true } })
})

test('a post that fails or is cancelled has no comment; one that is deleted takes it along', async () => {
  const text = nextText('Never')
  const cancelled = await schedule('x', { firstComment: { text } })
  await kit.api.posts.cancel({ params: { id: cancelled.id } })
  expect(await get(cancelled.id)).toMatchObject({ firstComment: { status: 'cancelled' } })
  const deleted = await schedule('x', { firstComment: { text, delaySeconds: 600 } })
  await kit.service.pass(2 * minuteMs)
  await kit.api.posts.delete({ params: { id: deleted.id } })
  await kit.service.pass(20 * minuteMs)
  expect(withText('x', text)).toEqual([])
})

test('the comment of a scheduled post can be changed and removed', async () => {
  const { id } = await schedule('x', { firstComment: { text: nextText('Old') } })
  const text = nextText('New')
  const changed = await kit.api.posts.update({ params: { id }, body: { firstComment: { text, delaySeconds: 60 } } })
  expect(changed.firstComment).toMatchObject({ text, delaySeconds: 60 })
  expect(await kit.api.posts.update({ params: { id }, body: { firstComment: null } })).toMatchObject({
    firstComment: null,
  })
  await kit.api.posts.update({ params: { id }, body: { firstComment: { text } } })
  await kit.service.pass(3 * minuteMs)
  expect(withText('x', text).length).toBe(1)
})

test('on X a comment counts against the monthly cap, and is uncounted on failure', async () => {
  const used = async () => (await kit.api.posts.xCapUsage()).used
  const before = await used()
  const { id } = await schedule('x', { firstComment: { text: nextText('Counted') } })
  expect((await used()) - before).toBe(2)
  await kit.api.posts.update({ params: { id }, body: { firstComment: null } })
  expect((await used()) - before).toBe(1)
  await kit.api.posts.update({ params: { id }, body: { firstComment: { text: nextText('Counted') } } })
  expect((await used()) - before).toBe(2)
  await kit.api.posts.cancel({ params: { id } })
  expect((await used()) - before).toBe(0)
})
