import { expect, test } from 'vitest'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import { transact, update } from '../../shared/db/table.ts'
import { type SocialAccount, socialAccounts } from '../../shared/social-accounts/social-account.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { accountOf, eventsOf, listen, liveCount, type PlatformName, reportedLosses, scheduleOn } from './author.ts'
import { expectSound } from './invariants.ts'

/** The owner takes the app password back: neither its access tokens nor its refresh tokens work any more. */
const revoke = (kit: Kit) => {
  for (const operation of ['create', 'upload', 'refresh']) {
    kit.platforms.faults.add({ platform: 'bluesky', operation, times: 1000, fault: 'token_revoked' })
  }
}

const keyOf = (kit: Kit, platform: PlatformName) =>
  socialAccounts.key({ workspaceId: kit.workspaceId, id: kit.accounts[platform] })

const change = (kit: Kit, platform: PlatformName, set: Partial<SocialAccount>) =>
  update(kit.ctx, keyOf(kit, platform), { set })

const outcomesOf = async (kit: Kit, posts: readonly { id: string }[]) =>
  Promise.all(
    posts.map(async ({ id }) => {
      const { status, error } = await kit.api.posts.get({ params: { id } })
      return { status, error, reason: eventsOf(kit, id).at(-1)?.data['reason'] }
    }),
  )

test.each([
  // Within two hours the access token that was stored at connect is still good by its own date.
  ['soon', 2 * minuteMs],
  ['after the access token has expired', 5 * hourMs],
])('a revoked token detected %s: reported once, and later posts fail without a request', async (_when, inMs) => {
  const kit = await start()
  await listen(kit)
  revoke(kit)
  const first = [await scheduleOn(kit, 'bluesky', 'one', inMs), await scheduleOn(kit, 'bluesky', 'two', inMs)]
  await kit.service.pass(inMs + 10 * minuteMs, { tickMinutes: 30 })
  const lost = { status: 'failed', error: expect.stringContaining('connect'), reason: 'account_disconnected' }
  expect(await outcomesOf(kit, first)).toEqual([lost, lost])
  expect(await accountOf(kit, 'bluesky')).toMatchObject({ isConnected: false, needsReconnect: true })
  expect(reportedLosses(kit).length).toBe(1)

  const calls = kit.platforms.calls().length
  await expect(scheduleOn(kit, 'bluesky', 'refused', hourMs)).rejects.toMatchObject({ status: 400 })
  await expectSound(kit)
  expect(kit.platforms.calls().length).toBe(calls)
  expect(kit.platforms.published()).toEqual([])
})

test('posts scheduled before the loss fail without a request until the account is reconnected', async () => {
  const kit = await start()
  await listen(kit)
  const at = [2 * minuteMs, 3 * hourMs, 6 * hourMs]
  const [loser, doomed, healed] = await Promise.all(at.map((inMs, n) => scheduleOn(kit, 'bluesky', `post ${n}`, inMs)))
  if (!loser || !doomed || !healed) throw new Error('a post is missing')
  revoke(kit)
  await kit.service.pass(10 * minuteMs, { tickMinutes: 30 })
  expect((await outcomesOf(kit, [loser]))[0]?.reason).toBe('account_disconnected')
  const calls = kit.platforms.calls().length
  await kit.service.pass(3 * hourMs, { tickMinutes: 30 })
  expect((await outcomesOf(kit, [doomed]))[0]).toMatchObject({ status: 'failed', reason: 'account_disconnected' })
  expect(kit.platforms.calls().length).toBe(calls)

  kit.platforms.faults.clear()
  const { handle: identifier, appPassword } = blueskySeed.account
  const again = await kit.sessionApi.socialAccounts.connectBluesky({ body: { identifier, appPassword } })
  expect(again).toMatchObject({ id: kit.accounts.bluesky, isConnected: true, needsReconnect: false })
  await kit.service.pass(4 * hourMs, { tickMinutes: 30 })
  expect((await outcomesOf(kit, [healed]))[0]).toMatchObject({ status: 'published', error: null })
  expect(liveCount(kit, 'post 2')).toBe(1)
  expect(reportedLosses(kit).length).toBe(1)
  await expectSound(kit)
})

test.each([
  [
    'removed',
    'account_removed',
    (kit: Kit, platform: PlatformName) => transact(kit.ctx, () => [{ delete: keyOf(kit, platform) }]),
  ],
  [
    'disconnected',
    'account_disconnected',
    (kit: Kit, platform: PlatformName) =>
      kit.sessionApi.socialAccounts.disconnect({ params: { id: kit.accounts[platform] } }),
  ],
] as const)('an account that is %s before the time: the post fails without a request', async (_title, reason, lose) => {
  const kit = await start()
  await listen(kit)
  const posts = [await scheduleOn(kit, 'bluesky', 'never', hourMs), await scheduleOn(kit, 'discord', 'never', hourMs)]
  await Promise.all([lose(kit, 'bluesky'), lose(kit, 'discord')])
  const calls = kit.platforms.calls().length
  await kit.service.pass(hourMs + minuteMs, { tickMinutes: 30 })
  expect(await outcomesOf(kit, posts)).toMatchObject(posts.map(() => ({ status: 'failed', reason })))
  expect(kit.platforms.calls().length).toBe(calls)
  expect(reportedLosses(kit)).toEqual([])
  await expectSound(kit)
})

test('an account reconnected in the last seconds: the post is published, slightly late', async () => {
  let once: (() => Promise<unknown>) | undefined
  const kit = await start({
    observe: async (effect, run) => {
      const result = await run()
      if (effect.functionName === 'publish-post') await once?.()
      return result
    },
  })
  await listen(kit)
  const { id, dueMs } = await scheduleOn(kit, 'bluesky', 'just in time', hourMs)
  await change(kit, 'bluesky', { needsReconnect: true })
  // After the publisher has read the row, five seconds before the time.
  once = () => {
    once = undefined
    return change(kit, 'bluesky', { needsReconnect: false })
  }
  await kit.service.pass(hourMs + minuteMs, { tickMinutes: 30 })
  expect(await outcomesOf(kit, [{ id }])).toMatchObject([{ status: 'published' }])
  const [live, ...more] = kit.platforms.published()
  expect(more).toEqual([])
  expect((live?.publishedAt ?? 0) - dueMs).toBeLessThanOrEqual(6000)
  expect(await accountOf(kit, 'bluesky')).toMatchObject({ isConnected: true, needsReconnect: false })
  expect(reportedLosses(kit)).toEqual([])
  await expectSound(kit)
})
