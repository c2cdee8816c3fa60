import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { CollectionView, viewCollection } from '../../../shared/memory/collection.ts'
import { collectionKeys, findCollection } from '../../../shared/memory/find.ts'
import { UpdateCollectionRequest } from '../../../shared/memory/requests.ts'
import { updateCollection } from '../../../shared/memory/update-collection.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/memory/collections/{id}',
    summary: 'Update a memory collection',
    description:
      'Changes name, color, or privacy. Omitted fields keep their values, and null removes the color. Only the person who created a collection can make it private.',
    access: scope('memory:write'),
    params: idPath('The ID of the collection, `col_…`.'),
    body: UpdateCollectionRequest,
    status: 200,
    data: CollectionView,
    errors: ['collection_not_found', 'creator_required'],
    needs: ['table:read', 'table:write'],
    prefetch: ({ workspaceId, params }) => collectionKeys(workspaceId, [params.id]),
  },
  async ({ ctx, workspace, principal: { userId }, params, body, prefetched }) => {
    const collection = findCollection(prefetched, { workspaceId: workspace.id, id: params.id }, userId, 'id')
    return viewCollection(await updateCollection(ctx, collection, userId, body))
  },
)
