import { equal } from '../../../shared/db/expression.ts'
import { notSwept } from '../../../shared/db/sweep-at.ts'
import { get, type Item, queryAll } from '../../../shared/db/table.ts'
import { minuteMs } from '../../../shared/time.ts'
import { deliveries } from '../../../shared/webhooks/deliveries/lifecycle/row.ts'
import { stateOf as deliveryStateOf } from '../../../shared/webhooks/deliveries/lifecycle/state.ts'
import { deliveryLifecycle } from '../../../shared/webhooks/deliveries/lifecycle/transitions.ts'
import { type Health, healths } from '../../../shared/webhooks/health/row.ts'
import { stateOf as healthStateOf } from '../../../shared/webhooks/health/state.ts'
import { healthLifecycle } from '../../../shared/webhooks/health/transitions.ts'
import type { Table } from '../../support/lifecycle-diagram.ts'
import type { Kit } from '../../support/start.ts'

const movesOf = (table: Table, from: string, to: string) =>
  Object.entries(table).filter(([, { moves }]) => moves[from]?.includes(to))

const clearedIn = (row: Item) => (name: string) => row[name] === undefined

/** What is wrong with a change of an endpoint's health, by the table of its transitions. */
const healthFlaw = (before: Item | undefined, after: Item | undefined): string | undefined => {
  if (after === undefined) return undefined
  const { state }: Health = healths.parse(after)
  healthStateOf(healths.parse(after))
  const from = before === undefined ? undefined : healths.parse(before).state
  if (from === undefined)
    return state === 'active' || state === 'slow' || state === 'disabled' ? undefined : `new ${state}`
  const moves = movesOf(healthLifecycle.transitions, from, state)
  if (moves.length === 0) return `${from} became ${state}`
  if (from === state) return undefined
  const isCleared = moves.some(([, { clears }]) =>
    clears.filter((name) => name !== 'leaseUntilMs').every(clearedIn(after)),
  )
  return isCleared ? undefined : `${from} became ${state} and kept ${JSON.stringify(after)}`
}

/** The sweeper moves its own attributes. */
const isSame = (before: Item, after: Item) => {
  const own = (item: Item) => JSON.stringify({ ...item, sweepAtMs: 0, sweepCount: 0 })
  return own(before) === own(after)
}

const ofPending = ['nextAttemptAt', ...notSwept]

/** The sweeper looks at a delivery that no drain can find within this time. */
const sweptWithinMs = 15 * minuteMs

/** The same of one delivery. */
const deliveryFlaw = (before: Item | undefined, after: Item, nowMs: number): string | undefined => {
  const row = deliveries.parse(after)
  const { kind } = deliveryStateOf(row, nowMs)
  if (row.status === 'pending') {
    const missing = ofPending.filter((name) => after[name] === undefined)
    if (missing.length > 0) return `${row.id} is pending without ${missing.join()}`
    const isReachable = row.waitingKey !== undefined || Number(row.sweepAtMs) <= nowMs + sweptWithinMs
    if (!isReachable) return `${row.id} waits, and no drain can find it`
  } else {
    const leftover = [...ofPending, 'waitingKey', 'leaseUntilMs'].filter((name) => after[name] !== undefined)
    if (leftover.length > 0) return `${row.id} is ${row.status} with ${leftover.join()}`
  }
  if (before === undefined) {
    const isFirst = row.attempt === 1 && row.cause === 'event'
    return row.status === 'pending' || isFirst ? undefined : `new ${row.status}`
  }
  const earlier = deliveries.parse(before)
  if (earlier.status !== 'pending') {
    return JSON.stringify(before) === JSON.stringify(after)
      ? undefined
      : `${row.id} changed after it was ${earlier.status}`
  }
  const from = deliveryStateOf(earlier, nowMs).kind
  const isMove = isSame(before, after) || movesOf(deliveryLifecycle.transitions, from, kind).length > 0
  return isMove ? undefined : `${row.id}: ${from} became ${kind}`
}

/** Looks at every write about one endpoint; each must be a transition of the tables. */
export const watchEndpoint = (kit: Kit, endpointId: string) => {
  const { ctx, workspaceId, clock } = kit
  const { PK } = deliveries.key({ workspaceId, endpointId, id: '' })
  let health: Item | undefined
  let rows = new Map<string, Item>()
  const flaws: string[] = []
  const note = (check: () => string | undefined) => {
    try {
      const flaw = check()
      if (flaw !== undefined) flaws.push(flaw)
    } catch (error) {
      flaws.push(String(error))
    }
  }
  const look = async () => {
    const [nextHealth, items] = await Promise.all([
      get(ctx, healths.key({ workspaceId, id: endpointId })),
      queryAll(ctx, { key: equal('PK', PK) }, 1000),
    ])
    note(() => healthFlaw(health, nextHealth))
    for (const item of items) note(() => deliveryFlaw(rows.get(String(item['id'])), item, clock.now()))
    const pending = items.map(deliveries.parse).filter(({ status, cause }) => status === 'pending' && cause !== 'test')
    if (new Set(pending.map(({ eventId }) => eventId)).size < pending.length)
      flaws.push('two pending attempts of an event')
    health = nextHealth
    rows = new Map(items.map((item) => [String(item['id']), item]))
  }
  return { look, flaws, state: () => (health === undefined ? undefined : healths.parse(health).state) }
}
