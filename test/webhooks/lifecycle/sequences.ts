import fc from 'fast-check'
import { expect } from 'vitest'
import { transact } from '../../../shared/db/table.ts'
import { eventExample } from '../../../shared/events/catalog.ts'
import { makeEvent } from '../../../shared/events/event.ts'
import { enqueueRelay, recordEvents } from '../../../shared/events/outbox.ts'
import { ulid } from '../../../shared/ids.ts'
import { deliver } from '../../../shared/webhooks/deliveries/deliver.ts'
import { deliveryWork } from '../../../shared/webhooks/deliveries/work.ts'
import { firstEvent } from '../../support/first-event.ts'
import { type Kit, start } from '../../support/start.ts'
import { logOf, makeHook, removeHooks } from '../hooks.ts'
import { watchEndpoint } from './watch.ts'

const minuteMs = 60_000

const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('emit' as const), count: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('answer' as const), status: fc.constantFrom(200, 500, 500, 503, 410) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(1, 2, 6, 31, 500) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('enable' as const), enabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('test' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('redeliver' as const), at: fc.nat(50) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('replay' as const),
      scope: fc.constantFrom('all' as const, 'failed' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('double' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('overrun' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), after: fc.nat(6) }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

const writes = new Set(['PutItem', 'UpdateItem', 'TransactWriteItems', 'BatchWriteItem', 'DeleteItem'])

/** Plays random commands against one endpoint after another and looks at every write; throws what no table allows. */
export const playSequences = async (count: number, seed: number): Promise<Map<string, number>> => {
  let watch: ReturnType<typeof watchEndpoint> | undefined
  let overrun: (() => Promise<unknown>) | undefined
  let crashIn = Number.POSITIVE_INFINITY
  // One write at a time, so that each look sees one.
  let turn: Promise<unknown> = Promise.resolve()
  const kit: Kit = await start({
    observe: ({ service, action, functionName }, run) => {
      if (service === 'webhook' && overrun !== undefined) {
        const late = overrun
        overrun = undefined
        // The lease of this worker ends while its request is in flight, and another worker sends the delivery.
        kit.clock.pass(61_000)
        return late().then(run)
      }
      if (service !== 'dynamodb' || !writes.has(action) || watch === undefined) return run()
      const mine = turn.then(async () => {
        const answer = await run()
        await watch?.look()
        if (
          functionName !== undefined &&
          ['deliver-webhook', 'drain-endpoint', 'replay-events'].includes(functionName)
        ) {
          crashIn -= 1
          if (crashIn === 0) throw new Error('the function was killed')
        }
        return answer
      })
      turn = mine.catch(() => undefined)
      return mine
    },
  })
  const seen = new Map<string, number>()
  const emit = async () => {
    kit.clock.pass(1)
    const [now, workspace] = [kit.clock.now(), { id: kit.workspaceId, name: 'Acme', slug: 'acme' }]
    const outboxId = ulid(now)
    const event = makeEvent('post.scheduled', workspace, now, firstEvent(outboxId), {
      ...eventExample('post.scheduled'),
    })
    await transact(kit.ctx, () => recordEvents(kit.ctx, outboxId, event.workspace, [event]))
    await enqueueRelay(kit.ctx, kit.workspaceId, outboxId)
  }
  const pendingOf = async (id: string) =>
    (await logOf(kit, id, { status: 'pending' })).map((delivery) => ({ ...delivery, workspaceId: kit.workspaceId }))
  const play = async (id: string, command: Command): Promise<unknown> => {
    const { webhooks } = kit.sessionApi
    switch (command.do) {
      case 'emit':
        for (let n = 0; n < command.count; n += 1) await emit()
        return undefined
      case 'answer':
        kit.inbox.behaviors.clear()
        if (command.status !== 200) kit.inbox.behaviors.add({ name: 'hook', times: 100_000, status: command.status })
        return undefined
      case 'pass':
        return kit.service.pass(command.minutes * minuteMs, { tickMinutes: Math.max(1, command.minutes / 5) })
      case 'enable':
        return webhooks.update({ params: { id }, body: { enabled: command.enabled } })
      case 'move':
        return webhooks.update({
          params: { id },
          body: { url: `${kit.service.inboxUrl}/hooks/hook?${kit.clock.now()}` },
        })
      case 'test':
        return webhooks.sendTest({ params: { id } })
      case 'redeliver': {
        const log = await logOf(kit, id)
        const delivery = log[command.at % Math.max(1, log.length)]
        return delivery && webhooks.redeliver({ params: { id, deliveryId: delivery.id } })
      }
      case 'replay': {
        const since = new Date(kit.clock.now() - 60 * minuteMs).toISOString()
        return webhooks.replay({ params: { id }, body: { since, scope: command.scope } })
      }
      case 'double': {
        const pending = await pendingOf(id)
        return deliveryWork.enqueueAll(kit.ctx, [...pending, ...pending])
      }
      case 'overrun':
        overrun = async () => {
          const { workspaceId } = kit
          for (const delivery of await pendingOf(id))
            await deliver(kit.ctx, { workspaceId, endpointId: id, deliveryId: delivery.id })
        }
        return emit()
      case 'crash':
        crashIn = command.after + 1
        return undefined
    }
  }
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 14 }), async (commands) => {
        watch = undefined
        overrun = undefined
        crashIn = Number.POSITIVE_INFINITY
        await removeHooks(kit)
        kit.inbox.reset()
        await kit.service.pass(2 * minuteMs, { tickMinutes: 1 })
        const { id } = await makeHook(kit, 'hook')
        watch = watchEndpoint(kit, id)
        for (const command of commands) {
          // What is refused changes nothing.
          await play(id, command).catch((error: unknown) =>
            expect(String(error)).toMatch(/4\d\d|disabled|progress|test|many/i),
          )
          await kit.service.drain()
          expect(watch.flaws).toEqual([])
          const { enabled, status } = await kit.sessionApi.webhooks.get({ params: { id } })
          const state = watch.state() ?? 'active'
          expect(status).toBe(enabled ? (state === 'disabled' ? 'active' : state) : 'disabled')
          seen.set(state, (seen.get(state) ?? 0) + 1)
        }
      }),
      { numRuns: count, seed },
    )
  } finally {
    await kit.close()
  }
  return seen
}
