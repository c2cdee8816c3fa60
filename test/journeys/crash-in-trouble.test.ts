import { expect, test } from 'vitest'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { Crash } from '../support/crash.ts'
import { type Kit, start } from '../support/start.ts'
import { eventsOf, listen, liveCount, lossesTold, scheduleBoth, scheduleOn } from './author.ts'
import { expectSound } from './invariants.ts'
import { uploadPng } from './upload.ts'

const minute = 60_000
const workers = new Set(['prepare-post', 'publish-post'])
/** What only looks: a death after it is the one after the effect before it. */
const looks = new Set(['BatchGetItem', 'GetItem', 'Query', 'GetObject', 'HeadObject', 'Decrypt', 'GetSecretValue'])

/**
 * Plays a scenario again and again, each time with a death after another effect of the workers; a death before an
 * effect is the one after the effect before it. Answers how many effects it has without a death.
 */
const dieAfterEach = async (kit: Kit, seam: Seam, scenario: (name: string) => Promise<void>): Promise<number> => {
  seam.dieAfter = undefined
  seam.seen = 0
  await scenario('no death')
  const effects = seam.seen
  for (let n = 0; n < effects; n += 1) {
    seam.dieAfter = n
    seam.seen = 0
    await scenario(`death after effect ${n}`)
  }
  await expectSound(kit)
  return effects
}

interface Seam {
  dieAfter: number | undefined
  seen: number
}

const begin = async () => {
  const seam: Seam = { dieAfter: undefined, seen: 0 }
  const observe: ObserveFunction = async (effect, run) => {
    if (!workers.has(effect.functionName) || looks.has(effect.action)) return run()
    const dies = seam.seen++ === seam.dieAfter
    const result = await run()
    if (dies) throw new Crash('in trouble')
    return result
  }
  const kit = await start({ observe })
  await listen(kit)
  return { kit, seam }
}

const trouble = (platform: string, operation: string, fault: Partial<FaultInput>): FaultInput => ({
  platform,
  operation,
  times: 1,
  fault: 'status',
  ...fault,
})
const dropped = { error: 'BlobNotFound', message: 'Could not find blob' }

test('a death anywhere between refusals, waits and lost answers loses and doubles nothing', async () => {
  const { kit, seam } = await begin()
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
    const posts = await scheduleBoth(kit, name, 3 * minute, { mediaUrls: [mediaId] })
    await kit.service.pass(16 * minute, { strikeMinutes: 4 })
    for (const { id, platform } of posts) {
      const { status } = await kit.api.posts.get({ params: { id } })
      expect({ name, platform, status }).toEqual({ name, platform, status: 'published' })
      expect({ name, platform, live: liveCount(kit, name, platform) }).toEqual({ name, platform, live: 1 })
      expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
    }
  })
  expect(effects).toBeGreaterThanOrEqual(40)
}, 240_000)

test('a death anywhere while a connection is found to be lost: told once, and the post fails', async () => {
  const { kit, seam } = await begin()
  const { handle: identifier, appPassword } = blueskySeed.account
  const effects = await dieAfterEach(kit, seam, async (name) => {
    const before = lossesTold(kit).length
    await kit.sessionApi.socialAccounts.connectBluesky({ body: { identifier, appPassword } })
    const revoked = { fault: 'token_revoked', times: 1000 } as const
    kit.platforms.faults.add([trouble('bluesky', 'create', revoked), trouble('bluesky', 'refresh', revoked)])
    const { id } = await scheduleOn(kit, 'bluesky', name, 2 * minute)
    await kit.service.pass(16 * minute, { strikeMinutes: 4 })
    kit.platforms.faults.clear()
    const { status } = await kit.api.posts.get({ params: { id } })
    const reason = eventsOf(kit, id).at(-1)?.data['reason']
    expect({ name, status, reason }).toEqual({ name, status: 'failed', reason: 'account_disconnected' })
    expect({ name, told: lossesTold(kit).length - before }).toEqual({ name, told: 1 })
    expect(liveCount(kit, name)).toBe(0)
  })
  expect(effects).toBeGreaterThanOrEqual(8)
}, 120_000)
