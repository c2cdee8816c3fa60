import * as z from 'zod/mini'
import { eventTypes } from '../../events/types.ts'
import { described } from '../../http/described.ts'
import { Moment } from '../../http/moment.ts'
import { replayScopes } from './replay.ts'

/**
 * Decided: `scope` defaults to `failed`. Without `eventTypes` a replay covers the types that the endpoint subscribes to
 * now; named ones need not be among them.
 */
export const ReplayRequest = z
  .strictObject({
    since: described(
      Moment,
      'The beginning of the range, RFC 3339 with a time zone. Within the retention period, 30 days by default.',
    ),
    until: described(z.optional(Moment), 'The end of the range, RFC 3339 with a time zone. By default now.'),
    scope: described(
      z.optional(z.enum(replayScopes)),
      '`failed`: the events that the endpoint has not accepted. `all`: every event. By default `failed`.',
    ),
    eventTypes: described(
      z.optional(z.array(z.enum(eventTypes)).check(z.minLength(1), z.maxLength(eventTypes.length))),
      'Only events of these types. By default those that the endpoint subscribes to.',
    ),
  })
  .register(z.globalRegistry, { id: 'ReplayWebhookRequest', description: 'Which events to send again.' })
