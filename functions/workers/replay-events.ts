import { replayEvents } from '../../shared/webhooks/replays/step.ts'
import { ReplayMessage, replayWork } from '../../shared/webhooks/replays/work.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Replays events to a webhook endpoint, 50 a second',
    ...replayWork.worker,
    batchSize: 1,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:deliver', 'queue:replay'],
  },
  ReplayMessage,
  ({ ctx, message }) => replayEvents(ctx, message),
)
