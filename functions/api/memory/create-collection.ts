import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { CollectionView } from '../../../shared/memory/collection.ts'
import { createCollection } from '../../../shared/memory/create-collection.ts'
import { CreateCollectionRequest } from '../../../shared/memory/requests.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/memory/collections',
    summary: 'Create a memory collection',
    description:
      'Only the person who creates a private collection can see it. A workspace has at most 200 collections.',
    access: scope('memory:write'),
    body: CreateCollectionRequest,
    status: 201,
    data: CollectionView,
    errors: ['collection_limit'],
    needs: ['table:read', 'table:write'],
  },
  ({ ctx, workspace, principal, body }) => createCollection(ctx, workspace.id, principal.userId, body),
)
