import type { Context } from '../context.ts'
import { equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { cutPage } from '../http/page.ts'
import { type Delivery, deliveries, type deliveryStatuses } from './delivery.ts'
import type { EventType } from './event.ts'

/** Rows read at most for one page; older attempts than these are only reachable by narrower filters. */
const readAtMost = 5000

export interface DeliveryFilter {
  status?: (typeof deliveryStatuses)[number] | undefined
  eventType?: EventType | undefined
  limit: number
  offset: number
}

/** The attempts of one endpoint, newest first. */
export const listDeliveries = async (ctx: Context, workspaceId: string, endpointId: string, filter: DeliveryFilter) => {
  const { PK } = deliveries.key({ workspaceId, endpointId, id: '' })
  const rows = await queryAll(ctx, { key: equal('PK', PK), newestFirst: true }, readAtMost)
  const now = Math.floor(ctx.clock.now() / 1000)
  const matching: Delivery[] = rows
    .map(deliveries.parse)
    .filter(
      (row) =>
        row.ttl > now &&
        (filter.status === undefined || row.status === filter.status) &&
        (filter.eventType === undefined || row.eventType === filter.eventType),
    )
  return cutPage(matching, filter)
}
