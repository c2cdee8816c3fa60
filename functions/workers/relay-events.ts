import { RelayMessage } from '../../shared/posts/messages.ts'
import { relayEvents } from '../../shared/webhooks/relay.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Fans events out: one delivery for each endpoint that wants them',
    queues: ['events'],
    batchSize: 10,
    timeoutSeconds: 30,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:deliver'],
  },
  RelayMessage,
  ({ ctx, message }) => relayEvents(ctx, message),
)
