import * as z from 'zod/mini'
import { present } from '../../db/expression.ts'
import { work } from '../../db/work.ts'
import { timeoutSecondsOf } from '../../resources.ts'
import { healths } from './row.ts'

/** The message to drain-endpoint: one step through the waiting deliveries of an endpoint. */
export const DrainMessage = z.object({ workspaceId: z.string(), endpointId: z.string() })
export type DrainMessage = z.infer<typeof DrainMessage>

/** An endpoint whose deliveries are deferred is drained step by step. A change of its state ends the step that is running. */
export const drainWork = work({
  entity: healths,
  queue: 'drain',
  timeoutSeconds: timeoutSecondsOf.drain,
  open: present('PK'),
  ref: z.object({ workspaceId: z.string(), id: z.string() }),
  message: ({ workspaceId, id: endpointId }) => {
    const body: DrainMessage = { workspaceId, endpointId }
    return { body, group: endpointId }
  },
})
