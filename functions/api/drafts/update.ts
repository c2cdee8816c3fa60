import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { changeDraft } from '../../../shared/drafts/change.ts'
import { DraftView, draftTag } from '../../../shared/drafts/draft.ts'
import { draftKeys, findDraft } from '../../../shared/drafts/find.ts'
import { referenceKeys } from '../../../shared/drafts/references.ts'
import { UpdateDraftRequest } from '../../../shared/drafts/requests.ts'
import { versionsIn } from '../../../shared/http/etag.ts'
import { assertSameId, idPath } from '../../../shared/http/id.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/drafts/{id}',
    summary: 'Update a draft',
    description:
      'Omitted fields keep their values. A field that is sent replaces the earlier value as a whole, and null clears it. With `If-Match`, changes the draft only in the version that you read; without it, the last change wins.',
    access: scope('drafts:write'),
    params: idPath('The ID of the draft, `drf_…`.'),
    body: UpdateDraftRequest,
    status: 200,
    data: DraftView,
    etag: draftTag,
    errors: ['draft_not_found', 'account_not_found', 'media_not_found', 'draft_changed'],
    needs: ['table:read', 'table:write'],
    prefetch: (known) => [
      ...draftKeys(known),
      ...referenceKeys(known.workspaceId, known.ctx.env('MEDIA_URL'), known.body),
    ],
  },
  ({ ctx, workspace, params, body, prefetched, request }) => {
    assertSameId(params.id, body.id)
    const versions = versionsIn(request.ifMatch)
    return changeDraft(ctx, findDraft(prefetched, workspace.id, params.id), { request: body, versions }, prefetched)
  },
)
