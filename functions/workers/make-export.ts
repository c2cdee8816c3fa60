import { makeExport } from '../../shared/export/step.ts'
import { ExportMessage, exportWork } from '../../shared/export/work.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Makes the archive of an export of a workspace, step by step, and deletes it when it has expired',
    ...exportWork.worker,
    batchSize: 1,
    memoryMb: 1024,
    needs: ['table:read', 'table:write', 'media:read', 'export:write', 'queue:export', 'queue:drain'],
  },
  ExportMessage,
  ({ ctx, message }) => makeExport(ctx, message),
)
