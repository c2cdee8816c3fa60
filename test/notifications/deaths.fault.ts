import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { Crash } from '../support/crash.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { makeDevice, postBody } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'

interface Point {
  at: number
  side: 'before' | 'after'
}

/** A post that fails, and all that follows until nothing is left to do. Returns what devices and people got. */
const failOnce = async (kit: Kit) => {
  const [pushes, mails] = [kit.push.messages().length, kit.mail.outbox().length]
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400 })
  await kit.api.posts.schedule({ body: postBody(kit, 'A post', minuteMs) })
  await kit.service.pass(12 * minuteMs, { tickMinutes: 3 })
  const shown = kit.push.messages().slice(pushes)
  return {
    tags: new Set(shown.map(({ tag }) => tag)).size,
    shown: shown.length,
    titles: new Set(shown.map(({ title }) => title)),
    mails: kit.mail.outbox().length - mails,
    rows: (await scanTable(kit)).filter(({ type, dueAtMs }) => type === 'Push' || (type === 'AlertTopic' && dueAtMs)),
  }
}

test('a crash before or after any effect of an alert notifies each device once, or again with the same tag', {
  timeout: 240_000,
}, async () => {
  const effects: string[] = []
  let armed: Point | undefined
  const observe: ObserveFunction = async (effect, run) => {
    if (effect.functionName !== 'notify') return run()
    const at = effects.push(`${effect.service} ${effect.action}`) - 1
    if (armed?.at !== at) return run()
    if (armed.side === 'after') await run()
    throw new Crash(`${armed.side} effect ${at}`)
  }
  const kit = await start({ observe })
  await makeDevice(kit)
  const run = async (point?: Point) => {
    effects.length = 0
    armed = point
    const outcome = await failOnce(kit)
    const done = [...effects]
    armed = undefined
    // Beyond the window of an email.
    await kit.service.pass(65 * minuteMs, { tickMinutes: 65 })
    return { done, outcome }
  }
  const whole = { tags: 1, titles: new Set(['A post failed on Bluesky']), mails: 1, rows: [] }
  const { done, outcome } = await run()
  expect(outcome).toEqual({ ...whole, shown: 1 })
  expect(done.filter((effect) => effect === 'web-push POST')).toHaveLength(1)
  expect(done.length).toBeGreaterThan(10)
  for (const side of ['before', 'after'] as const) {
    for (const [at, effect] of everyNth(4, done.entries())) {
      const { outcome } = await run({ at, side })
      const where = `${side} ${effect} (${at})`
      // Only a crash between the call and the write that ends the row leads to a repeat.
      const repeats = side === 'after' && effect === 'web-push POST' ? 2 : 1
      expect({ where, ...outcome, shown: Math.min(outcome.shown, repeats) }).toEqual({
        where,
        ...whole,
        shown: repeats,
      })
      expect(outcome.shown, where).toBeLessThanOrEqual(2)
    }
  }
})
