import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../shared/context.ts'

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms) {
    await wait(ms)
  },
}
