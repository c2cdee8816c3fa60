import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { CollectionPurge } from './purge-collection.ts'
import type { IndexMessage } from './search/enqueue-indexing.ts'

const shape = z.object({ workspaceId: z.string(), id: z.string() })

const indexAgain = ({ workspaceId, id: collectionId }: z.infer<typeof shape>) => {
  const body: IndexMessage = { workspaceId, collectionId }
  return { queue: 'index', body, group: workspaceId } as const
}

export const memorySweepRules = [
  sweepRule({
    type: 'Collection',
    shape,
    message: ({ workspaceId, id: collectionId }) => {
      const body: CollectionPurge = { workspaceId, collectionId }
      return { queue: 'purge', body, group: workspaceId }
    },
  }),
  sweepRule({ type: 'MemoryIndex', shape, message: indexAgain }),
  sweepRule({ type: 'MemoryRemoval', shape, message: indexAgain }),
]
