import * as z from 'zod/mini'
import { purgeWorkspace } from '../../shared/deletion/purge.ts'
import { CollectionPurge, purgeCollection } from '../../shared/memory/purge-collection.ts'
import { worker } from '../../shared/worker.ts'
import { PurgeMessage } from '../../shared/workspaces/deletion.ts'

export const handler = worker(
  {
    summary: 'Removes what a deleted workspace or memory collection leaves: rows, files, and finally its slug',
    queues: ['purge'],
    batchSize: 1,
    timeoutSeconds: 100,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'table:purge', 'media:purge', 'index:purge', 'vectors:purge'],
  },
  z.union([CollectionPurge, PurgeMessage]),
  ({ ctx, message }) => ('collectionId' in message ? purgeCollection(ctx, message) : purgeWorkspace(ctx, message)),
)
