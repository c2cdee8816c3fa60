import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import {
  accountOf,
  eventsOf,
  listen,
  liveCount,
  type PlatformName,
  reportedLosses,
  scheduleBoth,
  scheduleOn,
} from './author.ts'
import { endless, faults } from './fault-table.ts'
import { expectSound } from './invariants.ts'
import { makeTrouble } from './trouble.ts'
import { uploadPng } from './upload.ts'

const platforms = ['bluesky', 'discord'] as const
const cells = faults.flatMap((fault) =>
  platforms
    .filter((platform) => fault.only === undefined || fault.only === platform)
    .map((platform) => ({ ...fault, platform, cell: `${fault.name}: ${platform}` })),
)

const seam = makeTrouble()
let shared: Kit
beforeAll(async () => {
  shared = await start({ observe: seam.observe })
  await listen(shared)
})
afterAll(async () => {
  await shared.service.drain()
  await expectSound(shared)
  await shared.close()
})

const connectAgain = async (kit: Kit, platform: PlatformName) => {
  const { handle: identifier, appPassword } = blueskySeed.account
  if (platform === 'discord') await connectOn(kit, platform)
  else await kit.sessionApi.socialAccounts.connectBluesky({ body: { identifier, appPassword } })
}

test.each(everyNth(3, cells))('$cell', async ({
  platform,
  scripts,
  trouble,
  endsAfterMinutes,
  media,
  history,
  outcomes,
  name,
}) => {
  const kit = shared
  const outcome = outcomes[platform]
  const [lossCount, logged] = [reportedLosses(kit).length, kit.logged.length]
  const mediaUrls = media ? [(await uploadPng(kit)).id] : []
  if (history) {
    await scheduleBoth(kit, 'hello', 1000)
    await kit.service.pass(2000)
  }
  kit.platforms.faults.add((scripts?.[platform] ?? []).map((script) => ({ ...script, platform })))
  if (trouble) seam.begin(trouble(platform))
  const { id, dueMs } = await scheduleOn(kit, platform, name, 2 * minuteMs, mediaUrls)
  await kit.service.pass((2 + (endsAfterMinutes ?? 0)) * minuteMs, { tickMinutes: 5 })
  if (endsAfterMinutes) {
    kit.platforms.faults.clear()
    seam.end()
  }
  await kit.service.pass(25 * minuteMs, { tickMinutes: 5 })
  const shown = () => kit.api.posts.get({ params: { id } })
  for (let hour = 0; hour < 24 && (await shown()).status === 'scheduled'; hour += 1)
    await kit.service.pass(hourMs, { tickMinutes: 5 })

  const post = await shown()
  expect(post).toMatchObject({
    status: outcome.status,
    error: outcome.error ? expect.stringMatching(outcome.error) : null,
  })
  expect(liveCount(kit, name, platform)).toBe(outcome.live)
  const live = kit.platforms.published().filter((post) => post.text === name && post.platform === platform)
  for (const { publishedAt, url } of live) {
    expect(url).toBe(post.publishedPostUrl)
    expect((publishedAt - dueMs) / 1000).toBeGreaterThanOrEqual(outcome.late?.[0] ?? 0)
    expect((publishedAt - dueMs) / 1000).toBeLessThanOrEqual(outcome.late?.[1] ?? 1)
  }
  const [scheduled, ended, ...more] = eventsOf(kit, id)
  expect([scheduled?.type, more]).toEqual(['post.scheduled', []])
  const { reason, retrySafe } = outcome
  expect(ended).toMatchObject(
    outcome.status === 'published'
      ? { type: 'post.published', data: { publishedPostUrl: post.publishedPostUrl, error: null } }
      : { type: 'post.publish_failed', data: { reason, retrySafe, error: post.error } },
  )
  expect(await accountOf(kit, platform)).toMatchObject({
    isConnected: !outcome.lost,
    needsReconnect: outcome.lost ?? false,
  })
  expect(reportedLosses(kit).length - lossCount).toBe(outcome.lost ? 1 : 0)
  const isReported = kit.logged.slice(logged).some((line) => line.includes('operator action needed'))
  expect(isReported).toBe(outcome.operator ?? false)
  // Each trouble that was to come has come.
  expect(kit.platforms.faults.pending().filter(({ times }) => times < endless / 2)).toEqual([])
})

afterEach(async () => {
  seam.end()
  shared.platforms.faults.clear()
  // A token that ends in the next cell would add its own trouble to that of the cell.
  for (const platform of platforms) await connectAgain(shared, platform)
})
