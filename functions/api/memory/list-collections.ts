import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { cursorLike, pageOf, pageQuery } from '../../../shared/http/page.ts'
import { CollectionView } from '../../../shared/memory/collection.ts'
import { listCollections } from '../../../shared/memory/list-collections.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/memory/collections',
    summary: 'List the memory collections, newest first',
    description: 'Private collections are listed for the person who made them, and for nobody else.',
    access: scope('memory:read'),
    query: z.strictObject({ cursor: cursorLike(/^col_[0-9A-Z]{26}$/), ...pageQuery }),
    status: 200,
    data: pageOf(CollectionView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, principal, query }) => listCollections(ctx, workspace.id, principal.userId, query),
)
