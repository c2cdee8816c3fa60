import * as z from 'zod/mini'
import { eventTypes } from '../../events/types.ts'
import { described } from '../../http/described.ts'
import { Id } from '../../http/id.ts'
import { Moment } from '../../http/moment.ts'
import { cursorLike, pageQuery, wholeNumber } from '../../http/page.ts'
import { deliveryIdForm } from './find.ts'
import { deliveryStatuses } from './lifecycle/row.ts'
import { maxOffset } from './log.ts'

const moment = z.optional(Moment)

/** The query of an endpoint's log. Decided: an offset skips at most 4,000 attempts; cursors reach all. */
export const ListDeliveriesQuery = z.strictObject({
  status: described(z.optional(z.enum(deliveryStatuses)), 'Only attempts with this status.'),
  eventType: described(z.optional(z.enum(eventTypes)), 'Only events of this type.'),
  eventId: described(z.optional(Id), 'Only attempts of the event with this ID, `evt_…`.'),
  since: described(moment, 'Only events at this time or later, RFC 3339 with a time zone.'),
  until: described(moment, 'Only events at this time or earlier, RFC 3339 with a time zone.'),
  cursor: cursorLike(deliveryIdForm),
  limit: pageQuery.limit,
  offset: described(
    wholeNumber(0, maxOffset, 0),
    'How many attempts to skip, at most 4,000. Use `cursor` to go further.',
  ),
})
