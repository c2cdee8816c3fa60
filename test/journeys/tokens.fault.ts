import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { slackSeed } from '../../infra/local/platforms/slack/seed.ts'
import { update } from '../../shared/db/table.ts'
import type { PlatformId } from '../../shared/resources.ts'
import { encryptCredentials } from '../../shared/social-accounts/encrypt-credentials.ts'
import { decryptCredentials, refreshCredentials } from '../../shared/social-accounts/refresh-credentials.ts'
import { socialAccounts } from '../../shared/social-accounts/social-account.ts'
import { dayMs, hourMs, minuteMs } from '../../shared/time.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { connectOn } from '../support/connect.ts'
import { Crash } from '../support/crash.ts'
import { type Kit, start } from '../support/start.ts'
import { inLanes } from '../support/world/lanes.ts'
import { eventsOf, listen, liveCount } from './author.ts'
import { scheduleSubject } from './doubt-matrix/run.ts'
import { subjects } from './doubt-matrix/subjects.ts'
import { expectSound } from './invariants.ts'

/** Where the platforms that replace a refresh token with each use do so. */
const refreshes: Partial<Record<PlatformId, string>> = {
  x: 'POST /2/oauth2/token',
  tiktok: 'POST /v2/oauth/token/',
  pinterest: 'POST /v5/oauth/token',
  slack: 'POST /api/oauth.v2.access',
  bluesky: 'POST /xrpc/com.atproto.server.refreshSession',
}
const rotating = Object.keys(refreshes)

/** The token of an account is about to end, as the service knows it. */
const endSoon = async ({ ctx, workspaceId }: Kit, id: string) => {
  const account = await socialAccounts.get(ctx, { workspaceId, id })
  const workspace = await workspaces.get(ctx, { id: workspaceId })
  if (!account || !workspace) throw new Error('there is no such account')
  const known = await decryptCredentials(ctx, workspace, account)
  const ending = { ...known, expiresAtMs: ctx.clock.now() + 60_000 }
  const credentials = await encryptCredentials(ctx, workspace, account, ending)
  await update(ctx, socialAccounts.key(account), { set: { credentials } })
}

const untilLive = async (kit: Kit, texts: readonly string[]) => {
  for (let look = 0; look < 300; look += 1) {
    if (texts.every((text) => liveCount(kit, text) > 0)) return
    await sleep(200)
  }
}

// In real time: where time stands still until a caller sleeps, fifty waiting callers outlast any lease.
test('fifty concurrent publications with an expiring token cause one refresh, and all are published once', async () => {
  const kit = await start({ time: 'real' })
  const x = await connectOn(kit, 'x')
  await endSoon(kit, x)
  const logins = () => kit.platforms.calls().filter(({ operation }) => operation === 'login').length
  const before = logins()
  const texts = Array.from({ length: 50 }, (_, n) => `one of fifty ${n}`)
  const scheduledAt = new Date(Date.now() + 15_000).toISOString()
  const schedule = (content: string) =>
    kit.api.posts.schedule({ body: { socialAccountIds: [x], content, scheduledAt } })
  // Two at a time: each counts against the same monthly cap, and on a busy machine five would conflict too often.
  await inLanes(texts, 2, schedule)
  await untilLive(kit, texts)
  for (const text of texts) expect({ text, live: liveCount(kit, text) }).toEqual({ text, live: 1 })
  expect(logins() - before).toBe(1)
  // Fifty jobs whose access token was rejected.
  await connectOn(kit, 'slack', slackSeed.teams.find(({ rotates }) => rotates)?.id)
  for (const platform of ['tiktok', 'pinterest'] as const) await connectOn(kit, platform)
  const workspace = await workspaces.get(kit.ctx, { id: kit.workspaceId })
  if (!workspace) throw new Error('there is no such workspace')
  for (const { id, providerId } of await kit.api.socialAccounts.list()) {
    const account = await socialAccounts.get(kit.ctx, { workspaceId: kit.workspaceId, id })
    if (!account || !rotating.includes(providerId)) continue
    const loginCalls = () => kit.platforms.calls().filter(({ operation }) => /^(login|refresh)$/.test(operation)).length
    const loginsBefore = loginCalls()
    const jobs = Array.from({ length: 50 }, () => refreshCredentials(kit.ctx, workspace, account, true))
    const given = new Set((await Promise.all(jobs)).map((credentials) => JSON.stringify(credentials)))
    expect([providerId, given.size, loginCalls() - loginsBefore]).toEqual([providerId, 1, 1])
  }
}, 120_000)

/** Accounts of all rotating platforms, whose functions die when a platform has replaced the tokens and before they are stored. */
const dieAfterRefresh = async () => {
  const [refreshCounts, deaths] = [new Map<string, number>(), new Set<string>()]
  let mayDie = false
  const kit = await start({
    observe: async ({ service, action }, run) => {
      const result = await run()
      if (!mayDie || refreshes[service as PlatformId] !== action) return result
      refreshCounts.set(service, (refreshCounts.get(service) ?? 0) + 1)
      if (deaths.has(service)) return result
      deaths.add(service)
      throw new Crash(`after ${action}`)
    },
  })
  await listen(kit)
  await connectOn(kit, 'slack', slackSeed.teams.find(({ rotates }) => rotates)?.id)
  for (const platform of ['x', 'tiktok', 'pinterest'] as const) await connectOn(kit, platform)
  const accounts = (await kit.api.socialAccounts.list()).filter(({ providerId }) => rotating.includes(providerId))
  for (const { id, providerId } of accounts) if (providerId !== 'bluesky') await endSoon(kit, id)
  mayDie = true
  return { kit, refreshCounts, deaths, accounts }
}

const lossesOf = ({ inbox }: Kit): string[] => {
  const events = inbox.deliveries().map(({ rawBody }) => JSON.parse(rawBody))
  const losses = events.filter(({ type }) => type === 'social_account.reconnect_required')
  return [...new Map(losses.map(({ id, data }) => [id, String(data.platform)])).values()].sort()
}

test('a publisher that dies with new tokens in its hands: one call to reconnect, or a post that is live', async () => {
  const { kit, refreshCounts, deaths } = await dieAfterRefresh()
  const dueMs = kit.clock.now() + 3 * hourMs
  const chosen = subjects.filter(({ name }) => rotating.includes(name))
  const placed = []
  for (const subject of chosen) placed.push(await scheduleSubject(kit, subject, dueMs))
  await kit.service.pass(3 * hourMs + 30 * minuteMs, { tickMinutes: 30 })
  expect([...deaths].sort()).toEqual([...rotating].sort())
  for (const {
    subject,
    ids: [id = ''],
  } of placed) {
    const { status } = await kit.api.posts.get({ params: { id } })
    const seen = { platform: subject.platform, status, reason: eventsOf(kit, id).at(-1)?.data['reason'] }
    // Bluesky returns the same new tokens for two hours (com.atproto.server.refreshSession).
    const isGraceful = subject.platform === 'bluesky'
    expect(seen).toEqual({
      platform: subject.platform,
      status: isGraceful ? 'published' : 'failed',
      reason: isGraceful ? undefined : 'account_disconnected',
    })
  }
  const lost = rotating.filter((platform) => platform !== 'bluesky').sort()
  expect(lossesOf(kit)).toEqual(lost)
  // The preparing worker leaves it to the publisher to report the loss.
  const times = { x: 2, tiktok: 3, pinterest: 2, slack: 2, bluesky: 2 }
  expect(Object.fromEntries(refreshCounts)).toEqual(times)
  await kit.service.pass(24 * hourMs, { tickMinutes: 60 })
  expect(lossesOf(kit)).toEqual(lost)
  await expectSound(kit)
})

test('a renewal that dies with new tokens in its hands: one call to reconnect, or an account that goes on', async () => {
  const { kit, refreshCounts, deaths, accounts } = await dieAfterRefresh()
  await kit.service.pass(minuteMs)
  // The access tokens of Pinterest end after 30 days, and Bluesky is renewed 30 days before its refresh token ends.
  for (const days of [1, 30, 31]) {
    kit.clock.pass(days * dayMs)
    await kit.service.pass(20 * minuteMs)
  }
  // A token of Slack is replaced when it is used.
  const idle = ['bluesky', 'pinterest', 'tiktok', 'x']
  expect([...deaths].sort()).toEqual(idle)
  expect(lossesOf(kit)).toEqual(idle.slice(1))
  expect(Object.fromEntries(refreshCounts)).toEqual(Object.fromEntries(idle.map((platform) => [platform, 2])))
  for (const { id, providerId } of accounts) {
    const { needsReconnect } = (await socialAccounts.get(kit.ctx, { workspaceId: kit.workspaceId, id })) ?? {}
    expect([providerId, needsReconnect]).toEqual([providerId, idle.slice(1).includes(providerId)])
  }
})
