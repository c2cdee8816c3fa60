import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { redditSeed } from '../../../infra/local/platforms/reddit.ts'
import { checkRedditLive } from '../../../shared/social-accounts/reddit-rules.ts'
import { socialAccounts } from '../../../shared/social-accounts/social-account.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit
let writer: string
beforeAll(async () => {
  kit = await start()
  writer = await connectOn(kit, 'reddit')
}, 120_000)
afterAll(() => kit.close())
beforeEach(() => {
  kit.platforms.faults.clear()
  kit.clock.pass(6 * 60_000)
})

const [discussion, own] = redditSeed.subreddits.find(({ name }) => name === 'flaired')?.flairs ?? []
const flairs = (subreddit: string, more: object = {}) =>
  kit.api.socialAccounts.redditFlairOptions({ query: { subreddit, ...more } })
const requirements = (subreddit: string, more: object = {}) =>
  kit.api.socialAccounts.redditPostRequirements({ query: { subreddit, ...more } })
const callCount = (operation: string) => kit.platforms.calls().filter((call) => call.operation === operation).length
const fault = (operation: string, more: object = {}) =>
  kit.platforms.faults.add({ platform: 'reddit', operation, times: 1, fault: 'html_503', ...more })

test('returns the flairs of a subreddit, empty where there are none', async () => {
  const choices = [
    { id: discussion?.id, text: 'Discussion', textEditable: false },
    { id: own?.id, text: 'Your own words', textEditable: true },
  ]
  expect(await flairs('flaired')).toEqual({ choices })
  expect(await flairs('/r/Flaired', { socialAccountId: writer })).toEqual({ choices })
  expect(callCount('flairs')).toBe(1)
  expect(await flairs('test')).toEqual({ choices: [] })
})

test('returns the requirements of a subreddit, and Reddit’s limits by default', async () => {
  expect(await requirements('r/flaired')).toEqual({
    is_flair_required: true,
    title_text_max_length: 300,
    title_text_min_length: 0,
  })
  expect(await requirements('strict', { socialAccountId: writer })).toEqual({
    is_flair_required: false,
    title_text_max_length: 60,
    title_text_min_length: 10,
  })
})

test('caches each subreddit by itself, and returns the cached answer while Reddit is unavailable', async () => {
  const before = callCount('requirements')
  const good = await requirements('flaired')
  await requirements('strict')
  expect(callCount('requirements') - before).toBe(2)
  for (const trouble of [{}, { fault: 'rate_limited' }, { fault: 'wrong_json' }]) {
    kit.clock.pass(6 * 60_000)
    fault('requirements', trouble)
    expect(await requirements('flaired')).toEqual(good)
  }
  fault('requirements')
  expect(await refusalOf(requirements('test'))).toMatchObject({ status: 503 })
})

test('rejects a subreddit that does not exist, is closed, or has an invalid name', async () => {
  expect(await refusalOf(requirements('nowhere'))).toMatchObject({
    status: 404,
    error: expect.stringContaining('not found'),
  })
  expect(await refusalOf(requirements('closed'))).toMatchObject({ status: 400 })
  expect(await refusalOf(flairs('no name'))).toMatchObject({ status: 400, field: 'subreddit' })
  const missing = await kit.api.$raw('GET', '/api/social-accounts/reddit/flair-options')
  expect(missing.status).toBe(400)
})

test('returns 404 for an account that does not exist', async () => {
  expect(await refusalOf(flairs('test', { socialAccountId: 'acc_unknown' }))).toMatchObject({ status: 404 })
  expect(await refusalOf(requirements('test', { socialAccountId: kit.accounts.discord }))).toMatchObject({
    status: 404,
  })
})

async function check(metadata: object, content?: string) {
  const [account, workspace] = await Promise.all([
    socialAccounts.get(kit.ctx, { workspaceId: kit.workspaceId, id: writer }),
    workspaces.get(kit.ctx, { id: kit.workspaceId }),
  ])
  if (!account || !workspace) throw new Error('the account has no row')
  const block = { subreddit: 'flaired', title: '[Recipe] A cake', kind: 'self', ...metadata }
  const part = { metadata: block, ...(content === undefined ? {} : { content }) }
  return (await checkRedditLive(kit.ctx, workspace, account, part)).map(({ code }) => code)
}

test('validation applies the requirements of the subreddit, cached for five minutes', async () => {
  const before = callCount('requirements')
  expect(await check({})).toEqual(['flair_required'])
  expect(await check({ flairId: discussion?.id })).toEqual([])
  expect(callCount('requirements') - before).toBe(1)
  expect(await check({ subreddit: 'strict' })).toEqual([])
  expect(await check({ subreddit: 'strict' }, '')).toEqual(['content_empty'])
  expect(await check({ subreddit: 'strict', body: 'short' }, 'x'.repeat(30))).toEqual(['metadata_invalid'])
  expect(await check({ subreddit: 'strict', kind: 'link', url: 'https://a.test' })).toEqual(['metadata_invalid'])
  expect(await check({ subreddit: 'nowhere' })).toEqual(['metadata_invalid'])
  expect(await check({ title: '' })).toEqual([])
})

test('validation skips the requirements while Reddit is unavailable and nothing is cached', async () => {
  fault('requirements')
  expect(await check({ subreddit: 'test', title: 'x' })).toEqual([])
  await check({})
  kit.clock.pass(6 * 60_000)
  fault('requirements')
  expect(await check({})).toEqual(['flair_required'])
})
