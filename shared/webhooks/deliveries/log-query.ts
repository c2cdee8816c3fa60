import * as z from 'zod/mini'
import { eventTypes } from '../../events/types.ts'
import { Id } from '../../http/id.ts'
import { Moment } from '../../http/moment.ts'
import { cursorLike, pageQuery, wholeNumber } from '../../http/page.ts'
import { deliveryIdForm } from './find.ts'
import { deliveryStatuses } from './lifecycle/row.ts'
import { maxOffset } from './log.ts'

const moment = z.optional(Moment)

/** The query of an endpoint's log. Decided: an offset skips at most 4,000 attempts; cursors reach all. */
export const ListDeliveriesQuery = z.strictObject({
  status: z.optional(z.enum(deliveryStatuses)),
  eventType: z.optional(z.enum(eventTypes)),
  eventId: z.optional(Id),
  since: moment,
  until: moment,
  cursor: cursorLike(deliveryIdForm),
  limit: pageQuery.limit,
  offset: wholeNumber(0, maxOffset, 0),
})
