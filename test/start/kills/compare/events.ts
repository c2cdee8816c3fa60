import * as z from 'zod/mini'
import type { Client } from '../../../../functions/client.ts'
import type { BusEvent } from '../../../../infra/local/engines/bus.ts'
import type { Delivery } from '../../../../infra/local/inbox/delivery.ts'
import type { Event } from '../../../../shared/events/event.ts'

/** The ids that are in one list and not in the other, each with its event where that is known. */
const missing = (location: string, expected: ReadonlyMap<string, string>, actual: ReadonlySet<string>): string[] => [
  ...[...expected].filter(([id]) => !actual.has(id)).map(([id, label]) => `event ${id} (${label}) is not ${location}`),
  ...[...actual].filter((id) => !expected.has(id)).map((id) => `event ${id} is ${location}, and not in the table`),
]

const WithId = z.object({ id: z.string() })

/** The whole event log, as a program without webhooks reads it. */
const readLog = async (api: Client): Promise<string[]> => {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await api.webhooks.listEventLog({ query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } })
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
    if (!page.hasMore) return ids
  }
}

/** Where the events of the table must have arrived. */
export interface EventSinks {
  /** At the endpoint that wants everything. */
  deliveries: readonly Delivery[]
  bus: readonly BusEvent[]
  api: Client
}

/** Every event of the table has reached the endpoint, the bus, and the log, and nothing else has. */
export const compareEvents = async (
  events: readonly Event[],
  { deliveries, bus, api }: EventSinks,
): Promise<string[]> => {
  const expected = new Map(events.map(({ id, type, data }) => [id, `${type} of ${data['postId']}`]))
  const unverified = deliveries.filter(({ verified }) => !verified)
  const delivered = deliveries.map(({ rawBody }) => z.parse(WithId, JSON.parse(rawBody)).id)
  const onBus = bus.map(({ detail }) => z.parse(WithId, detail).id)
  const log = await readLog(api)
  return [
    ...unverified.map(({ headers }) => `delivery ${headers['x-service-delivery-id']} is not signed as it should be`),
    ...missing('delivered', expected, new Set(delivered)),
    ...missing('on the bus', expected, new Set(onBus)),
    ...missing('in the log', expected, new Set(log)),
    ...(new Set(log).size === log.length ? [] : [`the log has ${log.length - new Set(log).size} events twice`]),
  ]
}
