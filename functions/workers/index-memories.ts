import { bringUpToDate } from '../../shared/memory/search/bring-up-to-date.ts'
import { IndexMessage } from '../../shared/memory/search/enqueue-indexing.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Updates the search indexes of a memory collection, and removes deleted memories from them',
    queues: ['index'],
    batchSize: 1,
    // Shorter than the lease in shared/memory/search/lease.ts.
    timeoutSeconds: 100,
    // One full vCPU, and memory for ten thousand long memories.
    memoryMb: 1769,
    needs: [
      'table:read',
      'table:write',
      'table:purge',
      'index:read',
      'index:write',
      'index:purge',
      'embed',
      'vectors:write',
      'vectors:purge',
    ],
  },
  IndexMessage,
  ({ ctx, message }) => bringUpToDate(ctx, message),
)
