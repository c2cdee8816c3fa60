import { RelayMessage } from '../../shared/events/outbox.ts'
import { relayEvents } from '../../shared/webhooks/deliveries/relay.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Fans events out to the subscribed endpoints, the event bus, and notifications',
    queues: ['events'],
    batchSize: 10,
    timeoutSeconds: 30,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:deliver', 'queue:notify', 'bus'],
  },
  RelayMessage,
  ({ ctx, message }) => relayEvents(ctx, message),
)
