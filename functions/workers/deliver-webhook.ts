import { DeliverMessage } from '../../shared/events/outbox.ts'
import { deliver } from '../../shared/webhooks/deliveries/deliver.ts'
import { deliveryWork } from '../../shared/webhooks/deliveries/work.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Signs and sends one webhook delivery, logs the attempt, and plans the next',
    ...deliveryWork.worker,
    batchSize: 10,
    // It waits for its receivers.
    memoryMb: 256,
    needs: ['table:read', 'table:write', 'queue:events', 'queue:deliver', 'queue:drain', 'kms:decrypt', 'origins'],
  },
  DeliverMessage,
  ({ ctx, message }) => deliver(ctx, message),
)
