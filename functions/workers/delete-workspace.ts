import { worker } from '../../shared/worker.ts'
import { PurgeMessage } from '../../shared/workspaces/deletion.ts'
import { purgeWorkspace } from '../../shared/workspaces/purge.ts'

export const handler = worker(
  {
    summary: 'Removes what a deleted workspace has left: rows, files, and in the end its slug',
    queues: ['purge'],
    batchSize: 1,
    timeoutSeconds: 100,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'table:purge', 'media:purge'],
  },
  PurgeMessage,
  ({ ctx, message }) => purgeWorkspace(ctx, message),
)
