import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { idPath } from '../../../shared/http/id.ts'
import { deleteCollection } from '../../../shared/memory/delete-collection.ts'
import { collectionKeys, findCollection } from '../../../shared/memory/find.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/memory/collections/{id}',
    summary: 'Delete a memory collection',
    description:
      'Deletes the collection with all its memories. It disappears immediately; its memories are removed within minutes.',
    access: scope('memory:write'),
    params: idPath('The ID of the collection, `col_…`.'),
    status: 200,
    data: Deleted,
    errors: ['collection_not_found'],
    needs: ['table:read', 'table:write', 'queue:purge'],
    prefetch: ({ workspaceId, params }) => collectionKeys(workspaceId, [params.id]),
  },
  async ({ ctx, workspace, principal: { userId }, params, prefetched }) => {
    await deleteCollection(
      ctx,
      findCollection(prefetched, { workspaceId: workspace.id, id: params.id }, userId, 'id'),
      userId,
    )
    return { id: params.id, deleted: true as const }
  },
)
