import { ExportMessage } from '../../shared/export/message.ts'
import { makeExport } from '../../shared/export/step.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Makes the archive of an export of a workspace, step by step, and deletes it when it has expired',
    queues: ['export'],
    batchSize: 1,
    // Shorter than the lease in shared/export/lease.ts.
    timeoutSeconds: 300,
    memoryMb: 1024,
    needs: ['table:read', 'table:write', 'media:read', 'export:write', 'queue:export', 'queue:drain'],
    recursive: true,
  },
  ExportMessage,
  ({ ctx, message }) => makeExport(ctx, message),
)
