import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../../shared/platforms/definitions.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { listen } from './author.ts'

// The tests follow each other: the first ones are before the end of Reddit's API, the last one is after it.
const { endsOn, closing = '' } = definitionOf('reddit').api
const endMs = Date.parse(String(endsOn))

let kit: Kit
let reddit: string
let linkedin: string
beforeAll(async () => {
  // An operator corrects the day of LinkedIn.
  kit = await start({ startMs: endMs - 2 * hourMs, platformApiEnds: { linkedin: endsOn } })
  await listen(kit)
  reddit = await connectOn(kit, 'reddit')
  linkedin = await connectOn(kit, 'linkedin')
}, 180_000)
afterAll(() => kit.close())

const scheduledAt = (atMs: number) => new Date(atMs).toISOString()
const metadata = { reddit: { subreddit: 'test', title: 'Sourdough', kind: 'self' } }
const toReddit = (content: string, atMs: number) => ({
  socialAccountIds: [reddit],
  content,
  metadata,
  scheduledAt: scheduledAt(atMs),
})
const postOf = async ([post]: readonly { id: string }[]) => kit.api.posts.get({ params: { id: post?.id ?? '' } })
const page = async ({ authorizeUrl }: { authorizeUrl: string }) => (await fetch(authorizeUrl)).text()

const error = 'Reddit has closed its API, so this service can no longer publish there.'
const ended = { status: 400, body: { code: 'platform_api_ended', error } }

test('before a platform closes its API, its rules and the pages that connect accounts say so', async () => {
  const { platforms, socialAccounts } = kit.api
  const known = Object.fromEntries((await platforms.list()).map(({ id, api }) => [id, api]))
  expect(known).toMatchObject({ reddit: { version: null, endsOn, closing }, linkedin: { version: '202607', endsOn } })
  const links = [await socialAccounts.connect({ params: { platform: 'reddit' } }), await socialAccounts.createLink()]
  for (const link of links) expect(await page(link)).toContain(closing)
})

test('a post that is due after the end of an API is accepted with a warning, and one before it without', async () => {
  const early = await kit.api.posts.validate({ body: toReddit('Early', endMs - minuteMs) })
  expect(early).toMatchObject({ valid: true, warnings: [] })
  const warnings = [
    {
      code: 'platform_api_ends',
      field: 'scheduledAt',
      platform: 'reddit',
      socialAccountId: reddit,
      message: `${closing} The post is due after that.`,
    },
  ]
  const late = toReddit('Late', endMs)
  expect(await kit.api.posts.validate({ body: late })).toMatchObject({ valid: true, warnings })
  expect(await kit.api.posts.schedule({ body: late })).toMatchObject([{ warnings }])
})

test('the end of a version is warned about; posts fail a day after the platform rejects it, and not before', async () => {
  const { posts } = kit.api
  const schedule = (content: string, atMs: number) =>
    posts.schedule({ body: { socialAccountIds: [linkedin], content, scheduledAt: scheduledAt(atMs) } })
  const still = await schedule('Still answered', endMs + minuteMs)
  const message = `This service calls the version 202607 of the API of LinkedIn, which need not be answered from ${endsOn} on. The post is due after that.`
  expect(still).toMatchObject([{ warnings: [{ code: 'platform_api_ends', message }] }])
  const rejected = await schedule('Rejected', endMs + hourMs)
  await kit.service.pass(2 * hourMs + 2 * minuteMs)
  expect(await postOf(still)).toMatchObject({ status: 'published' })
  const body = { status: 426, code: 'NONEXISTENT_VERSION', message: 'Requested version 20260701 is not active' }
  kit.platforms.faults.add({
    platform: 'linkedin',
    operation: 'create',
    times: 999,
    fault: 'status',
    status: 426,
    body,
  })
  await kit.service.pass(25 * hourMs, { tickMinutes: 10 })
  expect(await postOf(rejected)).toMatchObject({ status: 'failed', reason: 'platform_api_ended' })
})

test('after the end, nothing is sent or connected, and each refusal says why', async () => {
  const { posts, socialAccounts } = kit.api
  const [late] = (await posts.list({ query: { status: 'failed' } })).items.filter(({ content }) => content === 'Late')
  expect(late).toMatchObject({ reason: 'platform_api_ended', error })
  const delivered = kit.inbox.deliveries().map(({ rawBody }) => JSON.parse(rawBody))
  expect(delivered).toContainEqual(
    expect.objectContaining({
      type: 'post.publish_failed',
      data: expect.objectContaining({ postId: late?.id, reason: 'platform_api_ended' }),
    }),
  )
  const [account] = (await socialAccounts.list()).filter(({ id }) => id === reddit)
  expect(account).toMatchObject({ isConnected: true, needsReconnect: false })
  const body = toReddit('Never', endMs + 100 * hourMs)
  await expect(posts.schedule({ body })).rejects.toMatchObject({ status: 400, body: { code: 'platform_api_ended' } })
  const issues = [{ code: 'platform_api_ended', message: error }]
  expect(await posts.validate({ body })).toMatchObject({ valid: false, issues, warnings: [] })
  await expect(socialAccounts.connect({ params: { platform: 'reddit' } })).rejects.toMatchObject(ended)
  await expect(socialAccounts.createLink({ body: { platforms: ['reddit'] } })).rejects.toMatchObject(ended)
  expect(await page(await socialAccounts.createLink())).not.toContain('value="reddit"')
  expect(kit.platforms.published().filter(({ platform }) => platform === 'reddit')).toEqual([])
})
