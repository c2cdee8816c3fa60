import { setTimeout as sleep } from 'node:timers/promises'
import { askFor } from './ask.ts'
import type { Child } from './child.ts'
import { spread } from './measure.ts'
import { scheduleOne } from './requests.ts'

/** Requests that schedule, at the same moment. */
const atOnce = 8
/** From the last one on, so that the prepare queue has done its part. */
const leadMs = 10_000
const lookEveryMs = 250

/** Does `count` things, some of them at once. */
const inParallel = async (count: number, act: (n: number) => Promise<unknown>) => {
  let next = 0
  const work = async () => {
    for (let n = next++; n < count; n = next++) await act(n)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/**
 * Schedules posts for one and the same moment, half of them to each platform, and tells how late the call that publishes
 * each of them arrived at its platform. Negative is early. `timeoutMs` is how long scheduling may take, and waiting.
 */
export const measureDue = async (child: Child, count: number, timeoutMs: number) => {
  const { bluesky, discord } = child.author.accounts
  const dueAtMs = Math.ceil((Date.now() + timeoutMs + leadMs) / 1000) * 1000
  const names = Array.from({ length: count }, (_, n) => `Due ${dueAtMs} number ${n}.`)
  await inParallel(count, async (n) => {
    await askFor(201, scheduleOne(child, n % 2 === 0 ? bluesky : discord, names[n] ?? '', dueAtMs))
  })
  if (Date.now() > dueAtMs - leadMs) throw new Error(`scheduling ${count} posts took more than ${timeoutMs} ms`)
  await sleep(dueAtMs - Date.now())
  const arrived = new Map<string, number>()
  for (const endMs = Date.now() + timeoutMs; arrived.size < count && Date.now() < endMs; await sleep(lookEveryMs)) {
    for (const { at, body } of await child.posted()) {
      const name = names.find((one) => body.includes(one))
      if (name !== undefined && !arrived.has(name)) arrived.set(name, at)
    }
  }
  const lateMs = [...arrived.values()].map((at) => at - dueAtMs)
  return { ...spread(lateMs), started: arrived.size, early: lateMs.filter((ms) => ms < 0).length }
}
