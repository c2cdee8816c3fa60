import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { DraftView, draftTag, viewDraft } from '../../../shared/drafts/draft.ts'
import { draftKeys, findDraft } from '../../../shared/drafts/find.ts'
import { idPath } from '../../../shared/http/id.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/drafts/{id}',
    summary: 'Get a draft',
    description:
      'Returns one draft with its `ETag`. Send the `ETag` as `If-Match` when you change the draft, so that two editors cannot overwrite each other.',
    access: scope('posts:read'),
    params: idPath('The ID of the draft, `drf_…`.'),
    status: 200,
    data: DraftView,
    etag: draftTag,
    errors: ['draft_not_found'],
    needs: ['table:read'],
    prefetch: draftKeys,
  },
  ({ workspace, params, prefetched }) => viewDraft(findDraft(prefetched, workspace.id, params.id)),
)
