import { expect, test } from 'vitest'
import { ApiError } from '../../functions/client.ts'
import type { Kit } from '../support/start.ts'
import { actDuring, cancel, remove, reschedule } from './act-during.ts'
import { liveCount } from './author.ts'
import { expectSound } from './invariants.ts'

/** The channel turns out to be another server's, so that the post fails without a call. */
const hideChannels = (kit: Kit) => {
  const script = {
    platform: 'discord',
    operation: 'channels',
    times: 1000,
    fault: 'status',
    status: 200,
    body: [],
  } as const
  kit.platforms.faults.add(script)
}

const statusOf = (kit: Kit, id: string) =>
  kit.api.posts.get({ params: { id } }).then(
    ({ status }) => status,
    (error: unknown) => {
      if (error instanceof ApiError) return error.status
      throw error
    },
  )

test.each([
  ['cancel', cancel, 'cancelled'],
  ['delete', remove, 404],
  ['reschedule', reschedule, 'scheduled'],
] as const)(
  '%s at every step of a failing post: 200 and in effect, or rejected and the post has failed',
  async (_name, act, after) => {
    let points = 0
    for (let n = 0; ; n += 1) {
      const { kit, id, answered, reached } = await actDuring(n, act, 'discord', 'doomed', hideChannels)
      if (!reached) break
      points += 1
      expect([200, 409, 400], `at effect ${n}`).toContain(answered)
      expect(await statusOf(kit, id), `at effect ${n}, answered ${answered}`).toBe(answered === 200 ? after : 'failed')
      expect(liveCount(kit, 'doomed')).toBe(0)
      await expectSound(kit)
      await kit.close()
    }
    expect(points).toBeGreaterThanOrEqual(5)
  },
  240_000,
)
