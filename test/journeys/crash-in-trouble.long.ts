import { expect, test } from 'vitest'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { minuteMs } from '../../shared/time.ts'
import { eventsOf, liveCount, reportedLosses, scheduleBoth, scheduleOn } from './author.ts'
import { beginDying, dieAfterEach } from './deaths.ts'
import { uploadPng } from './upload.ts'

const workers = new Set(['prepare-post', 'publish-post'])

const trouble = (platform: string, operation: string, fault: Partial<FaultInput>): FaultInput => ({
  platform,
  operation,
  times: 1,
  fault: 'status',
  ...fault,
})
const dropped = { error: 'BlobNotFound', message: 'Could not find blob' }

test('a crash anywhere between rejections, waits, and lost responses loses and duplicates nothing', async () => {
  const { kit, seam } = await beginDying(workers)
  const { id: mediaId } = await uploadPng(kit)
  const effects = await dieAfterEach(kit, seam, async (name) => {
    kit.platforms.faults.clear()
    kit.platforms.faults.add([
      trouble('bluesky', 'upload', { status: 503, times: 2 }),
      trouble('bluesky', 'create', { fault: 'rate_limited', retryAfterSeconds: 3 }),
      trouble('bluesky', 'create', { status: 400, body: dropped }),
      trouble('bluesky', 'create', { status: 500 }),
      trouble('discord', 'create', { fault: 'rate_limited', retryAfterSeconds: 3 }),
      trouble('discord', 'create', { fault: 'landed_then_reset' }),
    ])
    const posts = await scheduleBoth(kit, name, 3 * minuteMs, { mediaUrls: [mediaId] })
    await kit.service.pass(16 * minuteMs, { tickMinutes: 4 })
    for (const { id, platform } of posts) {
      const { status } = await kit.api.posts.get({ params: { id } })
      expect({ name, platform, status }).toEqual({ name, platform, status: 'published' })
      expect({ name, platform, live: liveCount(kit, name, platform) }).toEqual({ name, platform, live: 1 })
      expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
    }
  })
  expect(effects.length).toBeGreaterThanOrEqual(40)
}, 240_000)

test('a crash anywhere while a lost connection is detected: it is reported once, and the post fails', async () => {
  const { kit, seam } = await beginDying(workers)
  const { handle: identifier, appPassword } = blueskySeed.account
  const effects = await dieAfterEach(kit, seam, async (name) => {
    const before = reportedLosses(kit).length
    await kit.sessionApi.socialAccounts.connectBluesky({ body: { identifier, appPassword } })
    const revoked = { fault: 'token_revoked', times: 1000 } as const
    kit.platforms.faults.add([trouble('bluesky', 'create', revoked), trouble('bluesky', 'refresh', revoked)])
    const { id } = await scheduleOn(kit, 'bluesky', name, 2 * minuteMs)
    await kit.service.pass(16 * minuteMs, { tickMinutes: 4 })
    kit.platforms.faults.clear()
    const { status } = await kit.api.posts.get({ params: { id } })
    const reason = eventsOf(kit, id).at(-1)?.data['reason']
    expect({ name, status, reason }).toEqual({ name, status: 'failed', reason: 'account_disconnected' })
    expect({ name, reported: reportedLosses(kit).length - before }).toEqual({ name, reported: 1 })
    expect(liveCount(kit, name)).toBe(0)
  })
  expect(effects.length).toBeGreaterThanOrEqual(8)
}, 120_000)
