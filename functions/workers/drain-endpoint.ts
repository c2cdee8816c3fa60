import { drain } from '../../shared/webhooks/drain.ts'
import { DrainMessage } from '../../shared/webhooks/messages.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Sends what waits for a webhook endpoint that is failing, recovering or slow, a step at a time',
    queues: ['drain'],
    batchSize: 1,
    timeoutSeconds: 45,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:deliver', 'queue:drain', 'open', 'origins', 'mail'],
    recursive: true,
  },
  DrainMessage,
  ({ ctx, message }) => drain(ctx, message),
)
