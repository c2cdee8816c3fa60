import * as z from 'zod/mini'
import { eventTypes } from '../../events/types.ts'
import { Name } from '../../identity/name.ts'

const url = z.string().check(z.minLength(1), z.maxLength(2000))
const events = z.array(z.enum(eventTypes)).check(z.minLength(1), z.maxLength(eventTypes.length))

/** Decided: name, URL, and at least one event are required; `enabled` defaults to true. */
export const CreateWebhookRequest = z
  .strictObject({ name: Name, url, events, enabled: z.optional(z.boolean()) })
  .register(z.globalRegistry, { id: 'CreateWebhookRequest' })

export const UpdateWebhookRequest = z
  .strictObject({
    name: z.optional(Name),
    url: z.optional(url),
    events: z.optional(events),
    enabled: z.optional(z.boolean()),
  })
  .register(z.globalRegistry, { id: 'UpdateWebhookRequest' })

export const RotateSecretRequest = z
  .strictObject({ expireOldInSeconds: z.optional(z.int().check(z.gte(0), z.lte(604_800))) })
  .register(z.globalRegistry, { id: 'RotateSecretRequest' })
