import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { linkedinSeed } from '../../infra/local/platforms/linkedin.ts'
import { present } from '../../shared/db/expression.ts'
import { update } from '../../shared/db/table.ts'
import { adapterOf } from '../../shared/platforms/adapters.ts'
import { definitionOf } from '../../shared/platforms/definitions.ts'
import { posts } from '../../shared/posts/lifecycle/row.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { channelId, eventsOf } from './author.ts'
import { connectLinkedIn } from './doubt-matrix/subjects.ts'
import { dyingAtEffect, makeTrouble } from './trouble.ts'
import { uploadPng } from './upload.ts'
import { uploadVideo } from './upload-video.ts'

/** Where comments are made, with the operation of the stand-in that makes them. */
const operations: Readonly<Partial<Record<PlatformId, string>>> = {
  x: 'create',
  discord: 'create',
  facebook: 'comment',
  instagram: 'comment',
  bluesky: 'create',
  threads: 'create',
  slack: 'create',
  linkedin: 'comment',
  youtube: 'comment',
  reddit: 'comment',
  mastodon: 'create',
}
const commented = platformIds.filter((id) => id in operations)

const seam = makeTrouble()
let kit: Kit
const accounts = new Map<PlatformId, string>()
beforeAll(async () => {
  kit = await start({ observe: seam.observe })
  const url = `${kit.service.inboxUrl}/hooks/comment`
  await kit.sessionApi.webhooks.create({
    body: { name: 'comment', url, events: ['post.published', 'post.comment_published', 'post.comment_failed'] },
  })
  for (const platform of [...commented, 'tiktok'] as const) {
    const own: Partial<Record<PlatformId, string>> = kit.accounts
    // Apps can read comments of pages only.
    if (platform === 'linkedin') accounts.set(platform, await connectLinkedIn(kit, linkedinSeed.ada.pages[0].name))
    else accounts.set(platform, own[platform] ?? (await connectOn(kit, platform)))
  }
}, 120_000)
afterAll(() => kit.close())
afterEach(() => kit.platforms.faults.clear())

const get = (id: string) => kit.api.posts.get({ params: { id } })
const typesOf = (id: string) => eventsOf(kit, id).map(({ type }) => type)
const onPlatform = (platform: PlatformId) => kit.platforms.published().filter((post) => post.platform === platform)
const withText = (platform: PlatformId, text: string) => onPlatform(platform).filter((post) => post.text === text)

let count = 0
const nextText = (what: string) => {
  count += 1
  return `${what}, number ${count}`
}
/** The metadata of posts on platforms that need some. */
const metadataOf: Readonly<Partial<Record<PlatformId, (content: string) => object>>> = {
  discord: () => ({ channelId }),
  slack: () => ({ channelId: 'C0DEMO001' }),
  reddit: (title) => ({ subreddit: 'test', title, kind: 'self' }),
  instagram: () => ({ format: 'feed_image' }),
}
const draftOf = async (platform: PlatformId) => {
  const content = nextText('A post')
  const mediaUrls = []
  if (platform === 'instagram') mediaUrls.push((await uploadPng(kit)).id)
  if (platform === 'youtube') mediaUrls.push((await uploadVideo(kit)).id)
  const block = metadataOf[platform]?.(content)
  return { content, mediaUrls, ...(block ? { metadata: { [platform]: block } } : {}) }
}
const schedule = async (platform: PlatformId, more: object) => {
  const scheduledAt = new Date(kit.clock.now() + minuteMs).toISOString()
  const socialAccountIds = [accounts.get(platform) ?? '']
  const body = { socialAccountIds, scheduledAt, ...(await draftOf(platform)), ...more }
  const [post] = await kit.api.posts.schedule({ body })
  if (post === undefined) throw new Error('no post was made')
  return post
}

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

test('what is known of a comment is kept if the post changes while it is sent', async () => {
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

test('a refusal fails the comment alone: the post and the account stay as they are', async () => {
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
  const account = (await kit.api.socialAccounts.list()).find((one) => one.id === socialAccountId)
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

test('nothing that can be read for six hours: the comment is of unknown outcome, and is not sent again', async () => {
  const text = nextText('Dark')
  const { id } = await schedule('facebook', { firstComment: { text, delaySeconds: 300 } })
  await kit.service.pass(2 * minuteMs)
  kit.platforms.faults.add({ platform: 'facebook', operation: 'comment', times: 1, fault: 'landed_then_reset' })
  kit.platforms.faults.add({ platform: 'facebook', operation: 'comments', times: 1_000_000, fault: 'html_503' })
  await kit.service.pass(8 * hourMs, { tickMinutes: 5 })
  expect(await get(id)).toMatchObject({ firstComment: { status: 'failed', mayBeLive: true } })
  expect([withText('facebook', text).length, typesOf(id)]).toEqual([1, ['post.published', 'post.comment_failed']])
})

test('a comment of a LinkedIn member whose answer is lost is never sent again: nobody can read it back', async () => {
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
  await kit.service.pass(8 * hourMs, { tickMinutes: 5 })
  const made = kit.platforms.calls().filter(({ platform, body }) => platform === 'x' && String(body).includes(text))
  expect(made.map(({ operation }) => operation)).toEqual(['create'])
  expect(await get(id)).toMatchObject({ firstComment: { status: 'failed', mayBeLive: true } })
})

test.each([
  ['private', { privacyStatus: 'private' }],
  ['made for kids', { madeForKids: true }],
])('a video that is %s takes no comment', async (_, youtube) => {
  const draft = await draftOf('youtube')
  const body = { socialAccountIds: [accounts.get('youtube') ?? ''], ...draft, firstComment: { text: 'x' } }
  const check = async (block: object) =>
    (await kit.api.posts.validate({ body: { ...body, metadata: { youtube: block } } })).issues
  expect(await check(youtube)).toMatchObject([{ code: 'first_comment_not_supported', field: 'firstComment' }])
  expect(await check({ privacyStatus: 'unlisted', madeForKids: false })).toEqual([])
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

test('on X a comment takes a place in the monthly cap, and gives it back', async () => {
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

test('accounts have comments of their own, or none', async () => {
  const [x = '', facebook = '', tiktok = ''] = [accounts.get('x'), accounts.get('facebook'), accounts.get('tiktok')]
  const own = nextText('Of its own')
  const body = {
    socialAccountIds: [x, facebook],
    content: nextText('A post'),
    scheduledAt: new Date(kit.clock.now() + hourMs).toISOString(),
    firstComment: { text: nextText('For all') },
    firstCommentByAccount: { [x]: { text: own, delaySeconds: 5 }, [facebook]: null },
  }
  const [first, second] = await kit.api.posts.schedule({ body })
  expect([first?.firstComment?.text, second?.firstComment]).toEqual([own, null])
  const check = (more: object) => kit.api.posts.validate({ body: { ...body, content: nextText('A post'), ...more } })
  expect(
    (await check({ socialAccountIds: [x], firstCommentByAccount: { [facebook]: { text: 'x' } } })).warnings,
  ).toMatchObject([{ code: 'unknown_field', field: `firstCommentByAccount.${facebook}` }])
  const beside = await check({ socialAccountIds: [x, tiktok], firstCommentByAccount: undefined })
  expect(beside.warnings).toContainEqual(
    expect.objectContaining({ code: 'first_comment_not_supported', socialAccountId: tiktok, field: 'firstComment' }),
  )
  const named = await check({ socialAccountIds: [x, tiktok], firstCommentByAccount: { [tiktok]: { text: 'x' } } })
  expect(named.issues).toContainEqual(
    expect.objectContaining({ code: 'first_comment_not_supported', field: `firstCommentByAccount.${tiktok}` }),
  )
})

test.each([
  ['x', 280],
  ['facebook', 8000],
  ['instagram', 2200],
  ['discord', 2000],
  ['bluesky', 300],
  ['threads', 500],
  ['slack', 4000],
  ['linkedin', 1250],
] as const)('%s: a comment has at most %d characters', async (platform, max) => {
  const check = async (text: string) => {
    const draft = await draftOf(platform)
    const body = { socialAccountIds: [accounts.get(platform) ?? ''], ...draft, firstComment: { text } }
    return (await kit.api.posts.validate({ body })).issues
  }
  expect(await check('a'.repeat(max))).toEqual([])
  expect(await check('a'.repeat(max + 1))).toMatchObject([{ code: 'content_length', field: 'firstComment.text' }])
  expect(await check(' ')).toMatchObject([{ code: 'content_empty', field: 'firstComment.text' }])
})

test.each([
  'youtube',
  'reddit',
] as const)('%s: a comment has at most the characters of any comment', async (platform) => {
  const check = async (text: string) => {
    const draft = await draftOf(platform)
    const body = { socialAccountIds: [accounts.get(platform) ?? ''], ...draft, firstComment: { text } }
    return (await kit.api.posts.validate({ body })).issues
  }
  const [measure] = definitionOf(platform).comment?.measures ?? []
  expect([measure?.max, await check('a'.repeat(10_000))]).toEqual([10_000, []])
  await expect(check('a'.repeat(10_001))).rejects.toMatchObject({ status: 400 })
})

const sixLinks = Array.from({ length: 6 }, (_, n) => `https://example.com/${n}`).join(' ')

test.each([
  ['x', '$TSLA or $BRK.A?', 'cashtag_limit', 'X: 2/1 cashtags.'],
  ['threads', sixLinks, 'link_limit', 'Threads: 6/5 links.'],
] as const)('%s: a comment that is a post keeps the rules of its text', async (platform, text, code, message) => {
  const check = async (comment: string) => {
    const draft = await draftOf(platform)
    const body = { socialAccountIds: [accounts.get(platform) ?? ''], ...draft, firstComment: { text: comment } }
    return (await kit.api.posts.validate({ body })).issues
  }
  const field = 'firstComment.text'
  expect(await check(text)).toMatchObject([{ code, field, message }])
  expect(await check(text.replace(/\S+$/, ''))).toEqual([])
  expect(await check(text.padEnd(5000, '.'))).toMatchObject([{ code: 'content_length', field }])
})

test('every platform says whether it takes comments', () => {
  for (const id of platformIds) {
    expect(adapterOf(id).commentCalls !== undefined, id).toBe(definitionOf(id).comment !== undefined)
  }
})
