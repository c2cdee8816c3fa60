import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { CollectionPurge } from './purge-collection.ts'
import { indexWork, removalSweepRule } from './search/index-work.ts'

export const memorySweepRules = [
  sweepRule({
    type: 'Collection',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: collectionId }) => {
      const body: CollectionPurge = { workspaceId, collectionId }
      return { queue: 'purge', body, group: workspaceId }
    },
  }),
  indexWork.sweepRule,
  removalSweepRule,
]
