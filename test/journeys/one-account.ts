import { afterAll, beforeAll } from 'vitest'
import type { PlatformId } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { expectSound } from './invariants.ts'

/** A service with one account on a platform, for the tests of one file; all of it must be sound at their end. */
export const useAccount = (platform: PlatformId) => {
  let kit: Kit
  let account: string
  beforeAll(async () => {
    kit = await start()
    account = await connectOn(kit, platform)
  })
  afterAll(async () => {
    await kit.service.drain()
    await expectSound(kit)
    await kit.close()
  })
  return {
    get kit() {
      return kit
    },
    get account() {
      return account
    },
    /** Schedules a post of the account and lets its time pass. */
    async publish(content: string, more: { metadata?: Record<string, unknown>; mediaUrls?: string[] } = {}) {
      const dueMs = kit.clock.now() + 10 * minuteMs
      const scheduledAt = new Date(dueMs).toISOString()
      const [{ id = '' } = {}] = await kit.api.posts.schedule({
        body: { socialAccountIds: [account], content, scheduledAt, ...more },
      })
      await kit.service.pass(11 * minuteMs)
      return { post: await kit.api.posts.get({ params: { id } }), dueMs }
    },
    /** The posts with a text that are public. */
    shown: (text: string) => kit.platforms.published().filter((post) => post.text === text),
  }
}
