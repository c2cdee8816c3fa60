import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { Crash } from '../support/crash.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { makeDevice, postBody } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'

/** More than the messages of two transactions. */
const devices = 170

/** A post that fails, and all that follows until nothing is left to do. Returns how many messages devices got. */
const failOnce = async (kit: Kit) => {
  const before = kit.push.messages().length
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400 })
  await kit.api.posts.schedule({ body: postBody(kit, 'A post', minuteMs) })
  await kit.service.pass(15 * minuteMs, { tickMinutes: 1 })
  return kit.push.messages().length - before
}

/** After each of the transactions that send the notification, and after some of those of the single devices. */
const deathsOf = (transactions: number) =>
  Array.from({ length: transactions }, (_, n) => n + 1).filter(
    (nth) => nth <= 6 || nth > transactions - 3 || nth % 20 === 0,
  )

test('a notification to more devices than one transaction takes reaches each once, whichever of them is the last', {
  timeout: 240_000,
}, async () => {
  let dieAfter: number | undefined
  let stored = 0
  /** Transactions of the worker with messages in them are the ones of a notification. */
  const observe: ObserveFunction = async (effect, run) => {
    if (effect.functionName !== 'notify' || effect.action !== 'TransactWriteItems') return run()
    stored += 1
    const answer = await run()
    if (stored === dieAfter) throw new Crash(`after transaction ${stored}`)
    return answer
  }
  const kit = await start({ observe, quotas: { notificationDevices: devices } })
  await kit.sessionApi.notifications.updateSettings({ body: { 'post.publish_failed': { mail: false } } })
  for (let n = 0; n < devices; n += 1) await makeDevice(kit)
  expect(await failOnce(kit)).toBe(devices)
  const transactions = stored
  expect(transactions).toBeGreaterThanOrEqual(3)
  for (const death of everyNth(6, deathsOf(transactions))) {
    stored = 0
    dieAfter = death
    expect({ death, got: await failOnce(kit) }).toEqual({ death, got: devices })
  }
  expect((await scanTable(kit)).filter(({ type, storedUpTo }) => type === 'Push' || storedUpTo)).toEqual([])
})
