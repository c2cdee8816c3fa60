import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { deadlineIn } from '../../shared/ai/deadline.ts'

test('the remaining time of a deadline is a whole number of milliseconds, as timeouts require', async () => {
  const deadline = deadlineIn(50)
  const left = Array.from({ length: 100 }, () => deadline.remainingMs())
  expect(left.filter((ms) => !Number.isInteger(ms))).toEqual([])
  expect(() => AbortSignal.timeout(deadline.remainingMs())).not.toThrow()
  await sleep(60)
  expect(deadline.remainingMs()).toBe(0)
  expect(deadline.signal.aborted).toBe(true)
})
