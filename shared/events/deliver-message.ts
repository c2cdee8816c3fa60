import * as z from 'zod/mini'
import { pair } from '../ids.ts'

/** The id of an attempt. It sorts by the event's time, then by attempt, and is deterministic. */
export const deliveryId = (outboxId: string, eventIndex: number, attempt: number): string =>
  `dlv_${outboxId}${pair(eventIndex)}${pair(attempt)}`

/** The message to deliver-webhook: one attempt. */
export const DeliverMessage = z.object({ workspaceId: z.string(), endpointId: z.string(), deliveryId: z.string() })
export type DeliverMessage = z.infer<typeof DeliverMessage>
