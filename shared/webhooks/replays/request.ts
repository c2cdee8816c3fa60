import * as z from 'zod/mini'
import { eventTypes } from '../../events/types.ts'
import { Moment } from '../../http/moment.ts'
import { replayScopes } from './replay.ts'

/**
 * Decided: `scope` defaults to `failed`. Without `eventTypes` a replay covers the types that the endpoint subscribes to
 * now; named ones need not be among them.
 */
export const ReplayRequest = z
  .strictObject({
    since: Moment,
    until: z.optional(Moment),
    scope: z.optional(z.enum(replayScopes)),
    eventTypes: z.optional(z.array(z.enum(eventTypes)).check(z.minLength(1), z.maxLength(eventTypes.length))),
  })
  .register(z.globalRegistry, { id: 'ReplayWebhookRequest' })
