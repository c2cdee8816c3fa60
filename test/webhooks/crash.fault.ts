import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { Crash } from '../support/crash.ts'
import { start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { emit, logOf, makeHook } from './hooks.ts'

/** A service that sends one event after another to a receiver that fails once, each with at most one crash. */
const makeBench = async () => {
  const effects: string[] = []
  let armed: { at: number; side: 'before' | 'after' } | undefined
  const observe: ObserveFunction = async (effect, run) => {
    if (!['relay-events', 'deliver-webhook'].includes(effect.functionName)) return run()
    const at = effects.push(`${effect.functionName} ${effect.action}`) - 1
    if (armed?.at !== at) return run()
    if (armed.side === 'after') await run()
    throw new Crash(`${armed.side} effect ${at}`)
  }
  const kit = await start({ observe })
  const { id } = await makeHook(kit, 'hook')
  let lastEventId: string | undefined
  return async (point?: typeof armed) => {
    effects.length = 0
    armed = point
    kit.inbox.reset()
    kit.inbox.behaviors.add({ name: 'hook', times: 1, status: 500 })
    const eventIds = new Set((await logOf(kit, id)).map((row) => row.id))
    const post = await emit(kit)
    // Beyond the lease, the time a message is hidden, and the time a data key is cached.
    await kit.service.pass(10 * minuteMs, { tickMinutes: 3 })
    const log = (await logOf(kit, id)).filter((row) => !eventIds.has(row.id))
    const requests = kit.inbox.deliveries().map(({ rawBody, headers, answered, verified }) => {
      const deliveryId = headers['x-service-delivery-id']
      return { event: JSON.parse(rawBody), deliveryId, answered, verified }
    })
    const fed = await kit.sessionApi.webhooks.listEventLog({ query: lastEventId ? { after: lastEventId } : {} })
    lastEventId = fed.items.at(-1)?.id
    const onBus = kit.bus.events().filter(({ detail }) => JSON.stringify(detail).includes(post.id))
    const elsewhere = { fed: fed.items.map((event) => event.id), onBus: onBus.map(({ detail }) => detail['id']) }
    return { post, log, requests, elsewhere, effects: [...effects] }
  }
}

const retried = { log: ['1 failed', '2 succeeded'], answers: [500, 200] }
const repeatedFirst = { log: ['1 succeeded'], answers: [500, 200] }
const repeatedSecond = { log: ['1 failed', '2 succeeded'], answers: [500, 200, 200] }

test('a crash before or after any effect of relay and delivery loses no event and duplicates no row', {
  timeout: 120_000,
}, async () => {
  const run = await makeBench()
  const { effects, log, requests } = await run()
  const nameOf = (rows: typeof log) => rows.map(({ attempt, status }) => `${attempt} ${status}`)
  expect({ log: nameOf(log), answers: requests.map(({ answered }) => answered) }).toEqual(retried)
  const secondAt = effects.indexOf('deliver-webhook SendMessage')
  expect(effects.length).toBeGreaterThan(14)
  expect(secondAt).toBeGreaterThan(7)
  for (const [at] of everyNth(3, effects.entries())) {
    for (const side of ['before', 'after'] as const) {
      const { post, log, requests, elsewhere, effects: done } = await run({ at, side })
      const where = `${side} effect ${at}: ${done[at]}`
      // Only a crash between a request and its log repeats the request.
      const last = done[side === 'after' ? at : at - 1]
      const repeats = last === 'deliver-webhook POST'
      const expected = repeats ? (at < secondAt ? repeatedFirst : repeatedSecond) : retried
      const answers = requests.map(({ answered }) => answered)
      expect({ where, log: nameOf(log), answers }).toEqual({ where, ...expected })
      const [eventId] = log.map((row) => row.eventId)
      for (const row of log) expect(row.eventId).toBe(eventId)
      expect({ where, fed: elsewhere.fed }).toEqual({ where, fed: [eventId] })
      expect({ where, onBus: new Set(elsewhere.onBus) }).toEqual({ where, onBus: new Set([eventId]) })
      for (const { event, deliveryId, verified } of requests) {
        expect({ where, verified, id: event.id, postId: event.data.postId }).toEqual({
          where,
          verified: true,
          id: eventId,
          postId: post.id,
        })
        expect(log.map(({ id }) => id)).toContain(deliveryId)
      }
    }
  }
})
