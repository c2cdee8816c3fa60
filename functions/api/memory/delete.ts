import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { assertSameId, idPath } from '../../../shared/http/id.ts'
import { findCollection, findMemory, memoryKeys } from '../../../shared/memory/find.ts'
import { removeMemory } from '../../../shared/memory/remove-memory.ts'
import { DeleteMemoryRequest } from '../../../shared/memory/requests.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/memory/{id}',
    summary: 'Delete a memory',
    description: 'The body names the collection. `memoryId` is optional and must match the id in the path.',
    access: scope('memory:write'),
    params: idPath('The ID of the memory, `mem_…`.'),
    body: DeleteMemoryRequest,
    status: 200,
    data: Deleted,
    errors: ['collection_not_found', 'memory_not_found'],
    needs: ['table:read', 'table:write'],
    prefetch: ({ workspaceId, params, body }) => memoryKeys(workspaceId, body.collectionId, params.id),
  },
  async ({ ctx, workspace, principal: { userId }, params: { id }, body, prefetched }) => {
    assertSameId(id, body.memoryId, 'memoryId')
    const collection = findCollection(
      prefetched,
      { workspaceId: workspace.id, id: body.collectionId },
      userId,
      'collectionId',
    )
    await removeMemory(ctx, collection, findMemory(prefetched, collection, id), userId)
    return { id, deleted: true as const }
  },
)
