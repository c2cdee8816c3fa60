import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { countKeysOf } from '../../../shared/db/counters.ts'
import { createDraft } from '../../../shared/drafts/create.ts'
import { DraftView, draftTag } from '../../../shared/drafts/draft.ts'
import { referenceKeys } from '../../../shared/drafts/references.ts'
import { CreateDraftRequest } from '../../../shared/drafts/requests.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/drafts',
    summary: 'Create a draft',
    description:
      'A draft can contain what no platform accepts; `POST /api/posts/validate` returns what is missing. A draft never becomes a post automatically.',
    access: scope('drafts:write'),
    body: CreateDraftRequest,
    status: 201,
    data: DraftView,
    etag: draftTag,
    errors: ['account_not_found', 'media_not_found', 'quota_exceeded'],
    needs: ['table:read', 'table:write'],
    prefetch: ({ ctx, workspaceId, body }) => [
      ...referenceKeys(workspaceId, ctx.env('MEDIA_URL'), body),
      ...countKeysOf(workspaceId, 'DRAFT'),
    ],
  },
  ({ ctx, workspace, body, prefetched }) => createDraft(ctx, workspace, body, prefetched),
)
