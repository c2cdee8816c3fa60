import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { MemoryHits, presetTopK, SearchMemoryRequest, viewHits } from '../../../shared/memory/search/requests.ts'
import { searchMemories } from '../../../shared/memory/search/search.ts'
import { findSearched, searchedKeys } from '../../../shared/memory/search/searched.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/memory/search',
    summary: 'Search memories',
    description:
      'Searches up to ten collections and returns the best memories first, each with its best passage. The search compares words: it knows the word forms of ten languages, but not synonyms. Searches find new memories immediately, and never deleted ones. The call changes nothing, but requires the scope `memory:write`.',
    access: scope('memory:write'),
    body: SearchMemoryRequest,
    status: 200,
    data: MemoryHits,
    errors: ['collection_not_found'],
    needs: ['table:read', 'index:read', 'queue:index'],
    memoryMb: wholeProcessorMb,
    prefetch: ({ workspaceId, body }) => searchedKeys(workspaceId, body.collectionIds),
  },
  async ({ ctx, workspace, principal: { userId }, body, prefetched }) => {
    const searched = findSearched(prefetched, workspace.id, body.collectionIds, userId)
    const hits = await searchMemories(ctx, searched, body.prompt, body.topK ?? presetTopK)
    return viewHits(hits, body.prompt)
  },
)
