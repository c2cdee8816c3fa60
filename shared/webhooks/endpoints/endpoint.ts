import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { eventTypes } from '../../events/types.ts'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'

/** A stored signing secret: encrypted, and until when it signs in addition to the current one. */
const SealedSecret = z.object({ sealed: z.string(), until: z.optional(z.number()) })

/** A webhook endpoint as stored. The newest secret is the first. */
export const WebhookEndpoint = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
  includeChildWorkspaces: z.optional(z.boolean()),
  disabledReason: z.nullable(z.string()),
  disabledAt: z.optional(z.nullable(z.string())),
  secrets: z.array(SealedSecret),
  /** The last characters of the current secret, to identify it. */
  secretHint: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  deletedAt: z.optional(z.string()),
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const endpoints = entity({
  type: 'Endpoint',
  shape: WebhookEndpoint,
  key: ({ workspaceId, id }: Pick<WebhookEndpoint, 'workspaceId' | 'id'>) => ({
    PK: `WS#${workspaceId}`,
    SK: `HOOK#${id}`,
  }),
})

/** The purpose with which an endpoint's secret is encrypted. */
export const secretPurpose = (endpointId: string): string => `webhook ${endpointId}`

/** The health of an endpoint, as the API names it. */
export const endpointStatuses = ['active', 'slow', 'failing', 'recovering', 'disabled'] as const

/** A webhook endpoint as the API shows it, with only a hint of the secret. */
export const EndpointView = z
  .object({
    id: described(z.string(), 'The ID of the endpoint, `whe_…`.'),
    name: described(z.string(), 'The name that you gave the endpoint.'),
    url: described(z.string(), 'The URL that receives the events.'),
    events: described(z.array(z.enum(eventTypes)), 'The event types that the endpoint subscribes to.'),
    enabled: described(z.boolean(), 'Whether the endpoint receives anything.'),
    includeChildWorkspaces: described(
      z.boolean(),
      'Whether the endpoint also receives the events of the child workspaces of your application.',
    ),
    disabledReason: described(
      z.nullable(z.string()),
      'Why the service disabled the endpoint, for people; null unless it did.',
    ),
    disabledAt: described(
      z.nullable(timestamp()),
      'When the service disabled the endpoint, in UTC; null unless it did.',
    ),
    status: described(
      z.enum(endpointStatuses),
      '`active`: deliveries succeed. `slow`: they do, but take more than two seconds. `failing`: five failed in a row, and the service only probes. `recovering`: one succeeded, and the others follow. `disabled`: nothing is sent.',
    ),
    failingSince: described(
      z.nullable(timestamp()),
      'The first failure after the last success, in UTC; null if the last attempt succeeded.',
    ),
    nextProbeAt: described(z.nullable(timestamp()), 'When a failing endpoint is tried next, in UTC; null otherwise.'),
    secretHint: described(z.string(), 'The last characters of the current secret.'),
    createdAt: timestamp('When the endpoint was created, in UTC.'),
    updatedAt: timestamp('When the endpoint was last changed, in UTC.'),
  })
  .register(z.globalRegistry, { id: 'WebhookEndpoint', description: 'A URL that receives events.' })
