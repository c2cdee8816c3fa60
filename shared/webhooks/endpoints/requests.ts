import * as z from 'zod/mini'
import { eventTypes } from '../../events/types.ts'
import { described } from '../../http/described.ts'
import { Name } from '../../identity/name.ts'

const url = described(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)),
  'The https URL that receives the events, at most 2,000 characters. It must not lead to a private address.',
)
const events = described(
  z.array(z.enum(eventTypes)).check(z.minLength(1), z.maxLength(eventTypes.length)),
  'The event types to receive, at least one. `GET /api/webhooks/events` lists them.',
)

const includeChildWorkspaces = described(
  z.optional(z.boolean()),
  'Whether the endpoint also receives the events of the child workspaces of your application; `workspace.id` of an event says whose it is. False by default.',
)

/** Decided: name, URL, and at least one event are required; `enabled` defaults to true. */
export const CreateWebhookRequest = z
  .strictObject({
    name: described(Name, 'A name to recognize the endpoint by, 1 to 80 characters.'),
    url,
    events,
    enabled: described(z.optional(z.boolean()), 'Whether the endpoint receives anything. True by default.'),
    includeChildWorkspaces,
  })
  .register(z.globalRegistry, { id: 'CreateWebhookRequest', description: 'A new webhook endpoint.' })

export const UpdateWebhookRequest = z
  .strictObject({
    name: described(z.optional(Name), 'A name to recognize the endpoint by, 1 to 80 characters.'),
    url: z.optional(url),
    events: z.optional(events),
    enabled: described(z.optional(z.boolean()), 'Whether the endpoint receives anything.'),
    includeChildWorkspaces,
  })
  .register(z.globalRegistry, {
    id: 'UpdateWebhookRequest',
    description: 'What changes in an endpoint. Omitted fields keep their values.',
  })

export const RotateSecretRequest = z
  .strictObject({
    expireOldInSeconds: described(
      z.optional(z.int().check(z.gte(0), z.lte(604_800))),
      'Seconds for which the old secret still signs, 0 to 604,800. By default 86,400, a day; 0 for a secret that leaked.',
    ),
  })
  .register(z.globalRegistry, { id: 'RotateSecretRequest', description: 'How long the old secret stays valid.' })
