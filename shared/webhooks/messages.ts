import * as z from 'zod/mini'

/** To deliver-webhook: one attempt. */
export const DeliverMessage = z.object({ workspaceId: z.string(), endpointId: z.string(), deliveryId: z.string() })
export type DeliverMessage = z.infer<typeof DeliverMessage>

/** To drain-endpoint: one step through what waits for an endpoint that is failing, recovering or slow. */
export const DrainMessage = z.object({ workspaceId: z.string(), endpointId: z.string() })
export type DrainMessage = z.infer<typeof DrainMessage>

/** To replay-events: one step of a replay. */
export const ReplayMessage = z.object({ workspaceId: z.string(), replayId: z.string() })
export type ReplayMessage = z.infer<typeof ReplayMessage>
