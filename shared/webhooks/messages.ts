import * as z from 'zod/mini'

/** To deliver-webhook: one attempt. */
export const DeliverMessage = z.object({ workspaceId: z.string(), endpointId: z.string(), deliveryId: z.string() })
export type DeliverMessage = z.infer<typeof DeliverMessage>
