import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { CollectionView, viewCollection } from '../../../shared/memory/collection.ts'
import { collectionKeys, findCollection } from '../../../shared/memory/find.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/memory/collections/{id}',
    summary: 'Get a memory collection',
    access: scope('memory:read'),
    params: IdPath,
    status: 200,
    data: CollectionView,
    errors: ['collection_not_found'],
    needs: ['table:read'],
    prefetch: ({ workspaceId, params }) => collectionKeys(workspaceId, [params.id]),
  },
  ({ workspace, principal, params, prefetched }) =>
    viewCollection(findCollection(prefetched, workspace.id, params.id, principal.userId, 'id')),
)
