import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { Id } from '../../../shared/http/id.ts'
import { cursorLike, pageOf, pageQuery, wholeNumber } from '../../../shared/http/page.ts'
import { collectionKeys, findCollection } from '../../../shared/memory/find.ts'
import { listMemories } from '../../../shared/memory/list-memories.ts'
import { MemoryView } from '../../../shared/memory/memory.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/memory',
    summary: 'List memories',
    description: 'Newest first.',
    access: scope('memory:read'),
    query: z.strictObject({
      collectionId: described(Id, 'The ID of the collection whose memories to list, `col_…`.'),
      cursor: cursorLike(/^mem_[0-9A-Z]{26}$/),
      ...pageQuery,
      limit: described(wholeNumber(1, 200, 100), 'The most items of the page, 1 to 200.'),
    }),
    status: 200,
    data: pageOf(MemoryView),
    errors: ['collection_not_found'],
    needs: ['table:read'],
    prefetch: ({ workspaceId, query }) => collectionKeys(workspaceId, [query.collectionId]),
  },
  ({ ctx, workspace, principal: { userId }, query, prefetched }) =>
    listMemories(
      ctx,
      findCollection(prefetched, { workspaceId: workspace.id, id: query.collectionId }, userId, 'collectionId'),
      query,
    ),
)
