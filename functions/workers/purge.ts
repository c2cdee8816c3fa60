import * as z from 'zod/mini'
import { AccountPurge } from '../../shared/deletion/account/deletion.ts'
import { purgeAccount } from '../../shared/deletion/account/purge.ts'
import { purgeWorkspace } from '../../shared/deletion/purge.ts'
import { CollectionPurge, purgeCollection } from '../../shared/memory/purge-collection.ts'
import { worker } from '../../shared/worker.ts'
import { PurgeMessage } from '../../shared/workspaces/deletion.ts'

export const handler = worker(
  {
    summary:
      'Removes what a deleted workspace, account, or memory collection leaves: rows, files, and finally its slug',
    queues: ['purge'],
    batchSize: 1,
    timeoutSeconds: 100,
    memoryMb: 512,
    needs: ['queue:purge', 'table:read', 'table:write', 'table:purge', 'media:purge', 'export:purge', 'index:purge'],
  },
  z.union([CollectionPurge, PurgeMessage, AccountPurge]),
  ({ ctx, message }) => {
    if ('userId' in message) return purgeAccount(ctx, message)
    return 'collectionId' in message ? purgeCollection(ctx, message) : purgeWorkspace(ctx, message)
  },
)
