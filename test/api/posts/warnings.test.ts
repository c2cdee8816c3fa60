import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostView } from '../../../shared/posts/reading/view.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'

let kit: Kit
let on: { threads: string; x: string; reddit: string }
beforeAll(async () => {
  kit = await start()
  on = {
    threads: await connectOn(kit, 'threads'),
    x: await connectOn(kit, 'x'),
    reddit: await connectOn(kit, 'reddit'),
  }
})
afterAll(() => kit.close())

const at = (inMs: number) => new Date(kit.clock.now() + inMs).toISOString()

let count = 0
const text = () => {
  count += 1
  return `A text of its own, number ${count}`
}

interface PostInput {
  content: string
  accounts?: readonly string[]
  inMs?: number
  metadata?: Record<string, unknown>
  platformContent?: Record<string, string>
}

const bodyOf = ({ content, accounts = [kit.accounts.bluesky], inMs = dayMs, ...rest }: PostInput) => ({
  socialAccountIds: [...accounts],
  content,
  scheduledAt: at(inMs),
  ...rest,
})
const schedule = (input: PostInput) => kit.api.posts.schedule({ body: bodyOf(input) })
const validate = (input: PostInput) => kit.api.posts.validate({ body: bodyOf(input) })
const codesOf = (posts: readonly PostView[]) => posts.map(({ warnings = [] }) => warnings.map(({ code }) => code))

describe('the same text to the same account', () => {
  test('within a day is accepted with a warning that names the earlier post', async () => {
    const content = text()
    const [first] = await schedule({ content })
    expect(first?.warnings).toEqual([])
    const inMs = 2 * dayMs - minuteMs
    const [again] = await schedule({ content: ` ${content}\n`, inMs })
    expect(again).toMatchObject({
      status: 'scheduled',
      warnings: [
        {
          socialAccountId: kit.accounts.bluesky,
          platform: 'bluesky',
          code: 'duplicate_text',
          field: 'content',
          message: `The same text goes to this account at ${first?.scheduledAt}, with the post ${first?.id}.`,
        },
      ],
    })
    expect(await validate({ content, inMs: dayMs })).toMatchObject({
      valid: true,
      issues: [],
      warnings: [{ code: 'duplicate_text' }],
    })
  })

  test('a day apart, to another account, or another text: no warning', async () => {
    const content = text()
    await schedule({ content })
    expect(codesOf(await schedule({ content, inMs: 2 * dayMs + minuteMs }))).toEqual([[]])
    expect(codesOf(await schedule({ content, accounts: [on.threads] }))).toEqual([[]])
    expect(codesOf(await schedule({ content: text() }))).toEqual([[]])
  })

  test.each(['cancel', 'delete'] as const)('after %s of the earlier post: no warning', async (change) => {
    const content = text()
    const [first] = await schedule({ content })
    await kit.api.posts[change]({ params: { id: first?.id ?? '' } })
    expect(codesOf(await schedule({ content }))).toEqual([[]])
  })

  test('it is the text of each platform that counts', async () => {
    const [own, content] = [text(), text()]
    const accounts = [kit.accounts.bluesky, on.threads]
    await schedule({ content: own })
    const posts = await schedule({ content, accounts, platformContent: { bluesky: own } })
    expect(codesOf(posts)).toEqual([['duplicate_text'], []])
  })

  test('publish-now warns of a post that is live, and its response is repeated with its Idempotency-Key', async () => {
    const content = text()
    const body = { socialAccountIds: [kit.accounts.bluesky], content }
    const [first] = await kit.api.posts.publishNow({ body })
    await kit.service.pass(minuteMs)
    const again = () => kit.api.posts.publishNow({ body, idempotencyKey: 'warned' })
    const [second] = await again()
    expect(second?.warnings).toMatchObject([{ message: expect.stringContaining(first?.id ?? '') }])
    expect(await again()).toEqual([second])
    await kit.service.pass(hourMs)
  })

  test('a thread shows the warnings of all its tweets with its first post', async () => {
    const [one, two] = [text(), text()]
    await schedule({ content: two, accounts: [on.x] })
    const { threadHeadPost } = await kit.api.posts.scheduleThread({
      body: {
        socialAccountId: on.x,
        tweets: [{ content: one }, { content: two }],
        scheduledAt: at(dayMs),
      },
    })
    expect(threadHeadPost.warnings).toMatchObject([{ code: 'duplicate_text', field: 'tweets.1.content' }])
  })

  test('a post shows its warnings only to the request that creates it', async () => {
    const content = text()
    const [first] = await schedule({ content })
    expect(await kit.api.posts.get({ params: { id: first?.id ?? '' } })).not.toHaveProperty('warnings')
  })
})

test('a link costs more on X, in a post and in a tweet of a thread', async () => {
  const content = `${text()} https://example.com/`
  expect(await validate({ content, accounts: [on.x, on.threads] })).toMatchObject({
    valid: true,
    warnings: [{ socialAccountId: on.x, platform: 'x', code: 'platform_price', field: 'content' }],
  })
  const { threadHeadPost } = await kit.api.posts.scheduleThread({
    body: { socialAccountId: on.x, tweets: [{ content: text() }, { content }], scheduledAt: at(dayMs) },
  })
  expect(threadHeadPost.warnings).toMatchObject([{ code: 'platform_price', field: 'tweets.1.content' }])
})

describe('a field of metadata that the service does not know', () => {
  const reddit = { subreddit: 'test', title: 'A title', kind: 'self' }

  test('is stored with a warning, at any depth and next to the platforms', async () => {
    const metadata = { reddit: { ...reddit, priority: 1 }, myOwnSystem: { id: 7 } }
    const accounts = [on.reddit]
    const [post] = await schedule({ content: text(), accounts, metadata })
    expect(post?.warnings).toMatchObject([
      { socialAccountId: null, platform: 'unknown', code: 'unknown_field', field: 'metadata.myOwnSystem' },
      { socialAccountId: on.reddit, code: 'unknown_field', field: 'metadata.reddit.priority' },
    ])
    expect(post?.metadata).toEqual({ reddit: metadata.reddit })
    expect(await validate({ content: text(), accounts, metadata })).toMatchObject({
      valid: true,
      warnings: [{ field: 'metadata.myOwnSystem' }, { field: 'metadata.reddit.priority' }],
    })
  })

  test('is rejected with "Did you mean" where it is close to a known one', async () => {
    const metadata = { reddit: { ...reddit, flairID: 'one' } }
    expect(await validate({ content: text(), accounts: [on.reddit], metadata })).toMatchObject({
      valid: false,
      issues: [{ code: 'metadata_invalid', field: 'metadata.reddit.flairID', next: 'Did you mean "flairId"?' }],
      warnings: [],
    })
  })
})
