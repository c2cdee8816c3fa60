import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { draftKeys, findDraft } from '../../../shared/drafts/find.ts'
import { removeDraft } from '../../../shared/drafts/remove.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { versionsIn } from '../../../shared/http/etag.ts'
import { idPath } from '../../../shared/http/id.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/drafts/{id}',
    summary: 'Delete a draft',
    description: 'With `If-Match`, deletes the draft only in the version that you read.',
    access: scope('drafts:write'),
    params: idPath('The ID of the draft, `drf_…`.'),
    status: 200,
    data: Deleted,
    errors: ['draft_not_found', 'draft_changed'],
    needs: ['table:read', 'table:write'],
    prefetch: draftKeys,
  },
  ({ ctx, workspace, params, prefetched, request }) => {
    const versions = versionsIn(request.ifMatch)
    return removeDraft(ctx, findDraft(prefetched, workspace.id, params.id), versions)
  },
)
