import { IndexMessage } from '../../shared/memory/search/enqueue-indexing.ts'
import { indexWork } from '../../shared/memory/search/index-work.ts'
import { updateIndex } from '../../shared/memory/search/update-index.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Updates the search index of a memory collection, and removes deleted memories from it',
    ...indexWork.worker,
    batchSize: 1,
    // One full vCPU, and memory for ten thousand long memories.
    memoryMb: 1769,
    needs: ['table:read', 'table:write', 'table:purge', 'index:read', 'index:write', 'index:purge', 'queue:index'],
  },
  IndexMessage,
  ({ ctx, message }) => updateIndex(ctx, message),
)
