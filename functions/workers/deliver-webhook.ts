import { timeoutSecondsOf } from '../../shared/resources.ts'
import { deliver } from '../../shared/webhooks/deliveries/deliver.ts'
import { DeliverMessage } from '../../shared/webhooks/deliveries/enqueue.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Signs and sends one webhook delivery, logs the attempt, and plans the next',
    queues: ['deliver'],
    batchSize: 10,
    timeoutSeconds: timeoutSecondsOf.deliver,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:deliver', 'queue:drain', 'kms:decrypt', 'origins'],
    recursive: true,
  },
  DeliverMessage,
  ({ ctx, message }) => deliver(ctx, message),
)
