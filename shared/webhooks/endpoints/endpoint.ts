import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { eventTypes } from '../../events/types.ts'

/** A signing secret at rest: sealed, and until when it signs beside the current one. */
const SealedSecret = z.object({ sealed: z.string(), until: z.optional(z.number()) })

/** A webhook endpoint as it is stored. The newest secret is the first. */
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
  /** Last characters of the current secret, to tell it apart. */
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

/** What a secret of an endpoint is sealed for. */
export const secretPurpose = (endpointId: string): string => `webhook ${endpointId}`

/** How an endpoint fares, in the words of the API. */
export const endpointStatuses = ['active', 'slow', 'failing', 'recovering', 'disabled'] as const

/** A webhook endpoint as the API shows it; the secret is only hinted at. */
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
    /** Since the first failed attempt after the last good one. */
    failingSince: z.nullable(z.string()),
    /** When a failing endpoint is tried next. */
    nextProbeAt: z.nullable(z.string()),
    secretHint: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'WebhookEndpoint' })
