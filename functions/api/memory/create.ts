import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { createMemory } from '../../../shared/memory/create-memory.ts'
import { collectionKeys, findCollection } from '../../../shared/memory/find.ts'
import { MemoryView } from '../../../shared/memory/memory.ts'
import { CreateMemoryRequest } from '../../../shared/memory/requests.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/memory',
    summary: 'Create a memory',
    description:
      'Stores a text in a collection. Searches find it immediately, and `POST /api/ai/generate` can use it. A memory is never changed: delete it and create another one.',
    access: scope('memory:write'),
    body: CreateMemoryRequest,
    status: 201,
    data: MemoryView,
    errors: ['collection_not_found', 'quota_exceeded'],
    needs: ['table:read', 'table:write', 'queue:index'],
    prefetch: ({ workspaceId, body }) => collectionKeys(workspaceId, [body.collectionId]),
  },
  ({ ctx, workspace, principal: { userId }, body, prefetched }) => {
    const collection = findCollection(
      prefetched,
      { workspaceId: workspace.id, id: body.collectionId },
      userId,
      'collectionId',
    )
    return createMemory(ctx, workspace, collection, { userId, text: body.text })
  },
)
