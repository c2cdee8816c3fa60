import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { workFields } from '../../db/lease.ts'

export const healthStates = ['active', 'slow', 'failing', 'recovering', 'disabled'] as const

/**
 * The health of a webhook endpoint as stored, from its first failed or slow response on. `state.ts` derives its state.
 */
export const Health = z.object({
  /** The endpoint's id. */
  id: z.string(),
  workspaceId: z.string(),
  state: z.enum(healthStates),
  ...workFields,
  /** The drain runs no step before this time. */
  dueAtMs: z.number(),
  /** Failed attempts since the last successful one; `failingSinceMs` is the time of the first of them. */
  failures: z.int(),
  failingSinceMs: z.optional(z.number()),
  /** In `active`: how often the drain has looked for deliveries that are still waiting. */
  recheckCount: z.optional(z.int()),
  /** In `failing`. */
  probeCount: z.optional(z.int()),
  /** In `recovering`: since when, and since when without a failure. */
  recovery: z.optional(z.object({ sinceMs: z.number(), rampStartMs: z.number() })),
  /** The hours in the last email to the owner about this outage. */
  lastNoticeHours: z.optional(z.int()),
  /** In `disabled`: the owner needs no more emails, and no delivery is waiting. */
  drained: z.optional(z.literal(true)),
  ttl: z.number(),
})
export type Health = z.infer<typeof Health>

export type HealthKey = Pick<Health, 'workspaceId' | 'id'>

export const healths = entity({
  type: 'EndpointHealth',
  shape: Health,
  key: ({ workspaceId, id }: HealthKey) => ({ PK: `WS#${workspaceId}`, SK: `HEALTH#${id}` }),
})

const retentionDays = 30

/** A row expires this long after its last change. */
export const ttlAt = (nowMs: number): number => Math.ceil(nowMs / 1000) + retentionDays * 86_400

/** The row of an endpoint that has not failed. */
export const newHealth = ({ workspaceId, id }: HealthKey, nowMs: number): Health => ({
  id,
  workspaceId,
  state: 'active',
  dueAtMs: nowMs,
  failures: 0,
  ttl: ttlAt(nowMs),
})

/** What the first write of a row sets, in addition to its key and its expiry. */
export const firstFields = (endpoint: HealthKey, nowMs: number) => {
  const { PK: _, SK: __, ttl: ___, ...fields } = healths.item(newHealth(endpoint, nowMs))
  return fields
}
