import { ReplayMessage } from '../../shared/webhooks/replays/lease.ts'
import { replayEvents } from '../../shared/webhooks/replays/step.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Replays events to a webhook endpoint, 50 a second',
    queues: ['replay'],
    batchSize: 1,
    // Shorter than the lease in shared/webhooks/replays/lease.ts.
    timeoutSeconds: 30,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:deliver', 'queue:replay'],
    recursive: true,
  },
  ReplayMessage,
  ({ ctx, message }) => replayEvents(ctx, message),
)
