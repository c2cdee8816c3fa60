import { ReplayMessage } from '../../shared/webhooks/messages.ts'
import { replayEvents } from '../../shared/webhooks/replay-events.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Tells a webhook endpoint the events of a time again, fifty a second',
    queues: ['replay'],
    batchSize: 1,
    // Shorter than the lease in shared/webhooks/hold-replay.ts.
    timeoutSeconds: 30,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:deliver', 'queue:replay'],
    recursive: true,
  },
  ReplayMessage,
  ({ ctx, message }) => replayEvents(ctx, message),
)
