import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { pinterestSeed } from '../../infra/local/platforms/pinterest.ts'
import { slackSeed } from '../../infra/local/platforms/slack.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { metaError } from '../platforms/meta-error.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { channelId, eventsOf, listen, reportedLosses } from './author.ts'
import type { Draft, Script } from './faults/column.ts'
import { expectSound } from './invariants.ts'
import { uploadPng } from './upload.ts'
import { uploadJpeg } from './upload-file.ts'
import { uploadVideo } from './upload-video.ts'

/** What an author posts on the platforms that need more than a text. */
const drafts: Readonly<Partial<Record<PlatformId, (text: string) => Draft | Promise<Draft>>>> = {
  async instagram(content) {
    return { content, metadata: { instagram: { format: 'feed_image' } }, mediaUrls: [await uploadJpeg(kit)] }
  },
  async tiktok(content) {
    const metadata = { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE' } }
    return { content, metadata, mediaUrls: [(await uploadVideo(kit)).id] }
  },
  async youtube(content) {
    return { content, mediaUrls: [(await uploadVideo(kit)).id] }
  },
  async pinterest(description) {
    const metadata = { pinterest: { boardId: pinterestSeed.boards[0].id, title: 'A Pin', description } }
    return { content: '', metadata, mediaUrls: [(await uploadPng(kit)).id] }
  },
  reddit: (title) => ({ content: 'The text', metadata: { reddit: { subreddit: 'test', title, kind: 'self' } } }),
  discord: (content) => ({ content, metadata: { discord: { channelId } } }),
  slack: (content) => ({ content, metadata: { slack: { channelId: 'C0DEMO007' } } }),
}

let kit: Kit
const accounts = new Map<PlatformId, string>()
beforeAll(async () => {
  kit = await start()
  await listen(kit)
  for (const platform of platformIds) {
    const own = platform === 'bluesky' || platform === 'discord' ? kit.accounts[platform] : undefined
    const person = platform === 'slack' ? slackSeed.teams[1]?.id : undefined
    accounts.set(platform, own ?? (await connectOn(kit, platform, person)))
  }
}, 120_000)
afterAll(async () => {
  await expectSound(kit)
  await kit.close()
})
afterEach(() => kit.platforms.faults.clear())

const schedule = async (platform: PlatformId, text: string, inMs: number) => {
  const draft = (await drafts[platform]?.(text)) ?? { content: text }
  const scheduledAt = new Date(kit.clock.now() + inMs).toISOString()
  const socialAccountIds = [accounts.get(platform) ?? '']
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body: { socialAccountIds, scheduledAt, ...draft } })
  return id
}

interface BlockedCase {
  platform: PlatformId
  response: string
  script: Script
  /** The error that the author of the refused post reads; absent if the post is published by itself later. */
  error?: RegExp
}

const create = { operation: 'create', times: 1 } as const
const blocked: Script = { ...create, fault: 'blocked' }
/** Refused before anything is sent: to prepare-post, and to the publisher once more. */
const blockedBefore = (operation: string): Script => ({ operation, times: 2, fault: 'blocked' })
const meta = (...error: Parameters<typeof metaError>): Script => ({ ...create, ...metaError(...error) })
const onX = (detail: string): Script => ({
  ...create,
  fault: 'status',
  status: 403,
  body: { title: 'Forbidden', detail, type: 'about:blank', status: 403 },
})

const cases: readonly BlockedCase[] = [
  {
    platform: 'x',
    response: 'its block',
    script: blocked,
    error: /^X does not let this account use that feature: Your/,
  },
  {
    platform: 'x',
    response: 'that the author of another post has blocked the account',
    script: onX('You have been blocked from the author of this Tweet.'),
    error: /^X does not allow this reply\.$/,
  },
  {
    platform: 'x',
    response: 'that the author of another post is suspended',
    script: onX('The author of the Tweet you are replying to has been suspended.'),
    error: /^X does not allow this reply\.$/,
  },
  {
    platform: 'x',
    response: 'that the account is locked for a while',
    script: onX('To protect our users from spam and other malicious activity, this account is temporarily locked.'),
    error: /^X locked this account for a while\. Log in to X to unlock it\.$/,
  },
  {
    platform: 'linkedin',
    response: 'that the resource is forbidden, which passes',
    script: blocked,
  },
  {
    platform: 'facebook',
    response: 'its block for a while',
    script: blocked,
    error: /^Facebook blocked this account for a while: The action attempted/,
  },
  {
    platform: 'facebook',
    response: 'that the content was flagged',
    script: meta(1, 1346003, 'Flagged as abusive'),
    error: /^Facebook blocked the post: Flagged as abusive$/,
  },
  {
    platform: 'facebook',
    response: 'that the post is against its community standards',
    script: meta(1, 1404102, 'Against the standards'),
    error: /^Facebook blocked the post: Against the standards$/,
  },
  {
    platform: 'facebook',
    response: 'that the page is limited',
    script: meta(1, 1404112, 'For your safety'),
    error: /^Facebook limits this Page or the person who connected it: For your safety$/,
  },
  {
    platform: 'facebook',
    response: 'that an identity has to be confirmed',
    script: meta(1, 4854002, 'Confirm your identity'),
    error: /^Facebook limits this Page or the person who connected it: Confirm your identity$/,
  },
  { platform: 'threads', response: 'its block for a while', script: blocked, error: /^Threads blocked this account/ },
  {
    platform: 'threads',
    response: 'that the account is restricted',
    script: meta(24, 4279013, 'You are restricted'),
    error: /^Threads restricted this account: You are restricted$/,
  },
  {
    platform: 'instagram',
    response: 'its block for a while',
    script: blocked,
    error: /^Instagram blocked this account for a while/,
  },
  {
    platform: 'instagram',
    response: 'that the account is restricted',
    script: meta(25, 2207050, 'Restricted'),
    error: /^Instagram restricted this account, or the account is not active: Restricted$/,
  },
  {
    platform: 'bluesky',
    response: 'its block',
    script: blocked,
    error: /^Bluesky does not allow this account to do that/,
  },
  { platform: 'discord', response: 'its block', script: blocked, error: /^Discord blocked the message: / },
  {
    platform: 'slack',
    response: 'its block',
    script: blocked,
    error: /^Slack workspace does not allow the app to post here/,
  },
  { platform: 'reddit', response: 'its block', script: blocked, error: /^Reddit suspended this account for a while: / },
  {
    platform: 'mastodon',
    response: 'its block',
    script: blocked,
    error: /^Mastodon does not allow this account to do that: /,
  },
  {
    platform: 'wordpress',
    response: 'its block',
    script: blocked,
    error: /^WordPress site did not let this service reach its API: /,
  },
  {
    platform: 'nostr',
    response: 'its block',
    script: blocked,
    error: /^Nostr relays do not accept posts of this account: /,
  },
  { platform: 'pinterest', response: 'its block', script: blocked, error: /^Pinterest blocked the Pin: / },
  { platform: 'tiktok', response: 'its block', script: blockedBefore('init'), error: /^TikTok banned this account/ },
  {
    platform: 'youtube',
    response: 'its block',
    script: blockedBefore('open'),
    error: /^YouTube does not let this channel/,
  },
]

test.each(
  cases,
)('$platform says $response: that post fails, the account stays connected, and its next post is published', async (blockedCase) => {
  const { platform, response, script, error } = blockedCase
  const lossCount = reportedLosses(kit).length
  const [refused, next] = [`Refused by ${platform}, ${response}`, `Next on ${platform} after ${response}`]
  const posts = [await schedule(platform, refused, 3 * minuteMs), await schedule(platform, next, 90 * minuteMs)]
  kit.platforms.faults.add({ ...script, platform })
  await kit.service.pass(20 * minuteMs, { tickMinutes: 5 })
  const [first = '', second = ''] = posts
  const post = await kit.api.posts.get({ params: { id: first } })
  if (error === undefined) expect(post).toMatchObject({ status: 'published', error: null })
  else {
    expect(post).toMatchObject({ status: 'failed', error: expect.stringMatching(error) })
    const data = { reason: 'blocked', retrySafe: true, error: post.error }
    expect(eventsOf(kit, first).at(-1)).toMatchObject({ type: 'post.publish_failed', data })
  }
  const account = (await kit.api.socialAccounts.list()).find(({ id }) => id === accounts.get(platform))
  expect(account).toMatchObject({ isConnected: true, needsReconnect: false })
  await kit.service.pass(90 * minuteMs, { tickMinutes: 10 })
  expect(await kit.api.posts.get({ params: { id: second } })).toMatchObject({ status: 'published', error: null })
  expect(kit.platforms.published().filter(({ text }) => text.includes(next))).toHaveLength(1)
  expect(reportedLosses(kit).length - lossCount).toBe(0)
  expect(kit.platforms.faults.pending()).toEqual([])
})
