import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { CollectionView, viewCollection } from '../../../shared/memory/collection.ts'
import { collectionKeys, findCollection } from '../../../shared/memory/find.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/memory/collections/{id}',
    summary: 'Get a memory collection',
    description:
      'Returns one collection with the number of its memories. A private collection of another person returns 404.',
    access: scope('memory:read'),
    params: idPath('The ID of the collection, `col_…`.'),
    status: 200,
    data: CollectionView,
    errors: ['collection_not_found'],
    needs: ['table:read'],
    prefetch: ({ workspaceId, params }) => collectionKeys(workspaceId, [params.id]),
  },
  ({ workspace, principal, params, prefetched }) =>
    viewCollection(findCollection(prefetched, { workspaceId: workspace.id, id: params.id }, principal.userId, 'id')),
)
