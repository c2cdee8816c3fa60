import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { eventTypes } from '../../events/types.ts'

/** A stored signing secret: encrypted, and until when it signs in addition to the current one. */
const SealedSecret = z.object({ sealed: z.string(), until: z.optional(z.number()) })

/** A webhook endpoint as stored. The newest secret is the first. */
export const Endpoint = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
  disabledReason: z.nullable(z.string()),
  disabledAt: z.optional(z.nullable(z.string())),
  secrets: z.array(SealedSecret),
  /** The last characters of the current secret, to identify it. */
  secretHint: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  deletedAt: z.optional(z.string()),
})
export type Endpoint = z.infer<typeof Endpoint>

export const endpoints = entity({
  type: 'Endpoint',
  shape: Endpoint,
  key: ({ workspaceId, id }: Pick<Endpoint, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}`, SK: `HOOK#${id}` }),
})

/** The purpose with which an endpoint's secret is encrypted. */
export const secretPurpose = (endpointId: string): string => `webhook ${endpointId}`

/** The health of an endpoint, as the API names it. */
export const endpointStatuses = ['active', 'slow', 'failing', 'recovering', 'disabled'] as const

/** A webhook endpoint as the API shows it, with only a hint of the secret. */
export const EndpointView = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(eventTypes)),
    enabled: z.boolean(),
    disabledReason: z.nullable(z.string()),
    disabledAt: z.nullable(z.string()),
    status: z.enum(endpointStatuses),
    /** The time of the first failed attempt after the last successful one. */
    failingSince: z.nullable(z.string()),
    /** When a failing endpoint is tried next. */
    nextProbeAt: z.nullable(z.string()),
    secretHint: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'WebhookEndpoint' })
