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
    summary: 'List memory collections',
    description: 'Newest first. A private collection is listed only for the person who created it.',
    access: scope('memory:read'),
    query: z.strictObject({ cursor: cursorLike(/^col_[0-9A-Z]{26}$/), ...pageQuery }),
    status: 200,
    data: pageOf(CollectionView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, principal, query }) => listCollections(ctx, workspace.id, principal.userId, query),
)
