import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { deadlineIn } from '../../shared/ai/deadline.ts'

test('what remains of a deadline is a whole number of milliseconds, which a timeout takes', async () => {
  const deadline = deadlineIn(50)
  const left = Array.from({ length: 100 }, () => deadline.remainingMs())
  expect(left.filter((ms) => !Number.isInteger(ms))).toEqual([])
  expect(() => AbortSignal.timeout(deadline.remainingMs())).not.toThrow()
  await sleep(60)
  expect(deadline.remainingMs()).toBe(0)
  expect(deadline.signal.aborted).toBe(true)
})
