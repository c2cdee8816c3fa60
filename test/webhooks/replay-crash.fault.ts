import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { replayEvents } from '../../shared/webhooks/replays/step.ts'
import { Crash } from '../support/crash.ts'
import { crashAfter } from '../support/crash-after.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { logOf, makeHook, receivedBy } from './hooks.ts'
import { layEvents } from './replays.ts'

/** An endpoint to which the same events are replayed each time, and the result. */
const makeBench = async (kit: Kit, events: number) => {
  const stored = await layEvents(kit, events)
  const since = new Date(kit.clock.now() - 10_000).toISOString()
  const until = new Date(kit.clock.now()).toISOString()
  const { webhooks } = kit.sessionApi
  const begin = async () => {
    kit.inbox.reset()
    const { id } = await makeHook(kit, 'hook')
    const { replayId } = await webhooks.replay({ params: { id }, body: { since, until, scope: 'all' } })
    return { id, replayId }
  }
  const check = async ({ id, replayId }: { id: string; replayId: string }, where: string) => {
    const { status, matched, queued } = await webhooks.getReplay({ params: { replayId } })
    expect({ where, status, matched, queued }).toEqual({ where, status: 'completed', matched: events, queued: events })
    const log = await logOf(kit, id)
    expect(log.map(({ eventId, attempt, cause, status }) => [where, eventId, attempt, cause, status])).toEqual(
      stored.map((event) => [where, event.id, 1, 'replay', 'succeeded']),
    )
    const ids = receivedBy(kit, 'hook').map(({ rawBody }) => JSON.parse(rawBody).id)
    expect({ where, ids: ids.toSorted() }).toEqual({ where, ids: stored.map((event) => event.id).toSorted() })
    await webhooks.delete({ params: { id } })
  }
  return { begin, check }
}

test('a replay finishes despite a crash before or after any effect of its worker', {
  timeout: 120_000,
}, async () => {
  const effects: string[] = []
  let armed: { at: number; side: 'before' | 'after' } | undefined
  const observe: ObserveFunction = async (effect, run) => {
    if (effect.functionName !== 'replay-events') return run()
    const at = effects.push(effect.action) - 1
    if (armed?.at !== at) return run()
    if (armed.side === 'after') await run()
    throw new Crash(`${armed.side} effect ${at}`)
  }
  const kit = await start({ observe })
  const { begin, check } = await makeBench(kit, 2)
  const run = async (point: typeof armed, where: string) => {
    effects.length = 0
    armed = point
    const replay = await begin()
    // Beyond the lease, until the sweeper comes or the message comes back.
    await kit.service.pass(3 * minuteMs + 1000, { tickMinutes: 3 })
    await check(replay, where)
    return [...effects]
  }
  const all = await run(undefined, 'without a crash')
  expect(all.toSorted()).toEqual([
    'BatchGetItem',
    'PutItem',
    'PutItem',
    'Query',
    'Query',
    'SendMessage',
    'TransactWriteItems',
    'UpdateItem',
  ])
  for (const [at, effect] of everyNth(3, all.entries())) {
    for (const side of ['before', 'after'] as const) await run({ at, side }, `${side} effect ${at}: ${effect}`)
  }
})

test('a replay of several steps that crashes after any effect continues, loses no event, and duplicates none', {
  timeout: 120_000,
}, async () => {
  const kit = await start()
  // The steps are made by hand.
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName === 'social-local-replay' ? 'lose' : 'keep')
  const { begin, check } = await makeBench(kit, 3)
  const { webhooks } = kit.sessionApi
  const step = crashAfter(kit.ctx, (ctx, replayId: string) =>
    replayEvents(ctx, { workspaceId: kit.workspaceId, replayId }, { max: 100, perStep: 2 }),
  )
  const isRunning = async (replayId: string) =>
    (await webhooks.getReplay({ params: { replayId } })).status === 'running'
  /** All steps, of which the n-th dies once; how many effects it would have had. */
  const run = async (dying: number, dieAfter: number | undefined) => {
    const replay = await begin()
    let effects = 0
    for (let n = 0; await isRunning(replay.replayId); n += 1) {
      expect(n).toBeLessThan(10)
      effects = n === dying ? (await step(replay.replayId, dieAfter)).length : effects
      // Beyond the lease, after which a step may be made again.
      kit.clock.pass(minuteMs)
      if (n !== dying || dieAfter !== undefined) await step(replay.replayId)
      kit.clock.pass(minuteMs)
      await kit.service.drain()
    }
    await check(replay, `step ${dying} dies after effect ${dieAfter}`)
    return effects
  }
  for (const dying of [0, 1]) {
    const effects = await run(dying, undefined)
    expect(effects).toBeGreaterThan(5)
    for (const dieAfter of everyNth(3, Array(effects).keys())) await run(dying, dieAfter)
  }
})
