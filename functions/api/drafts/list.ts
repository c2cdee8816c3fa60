import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { ListedDraft, listDrafts } from '../../../shared/drafts/list.ts'
import { cursorLike, pageOf, pageQuery } from '../../../shared/http/page.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/drafts',
    summary: 'List drafts',
    description:
      'Newest first. A draft of more than 20,000 bytes is cut and has `truncated: true`; `GET /api/drafts/{id}` returns all of it.',
    access: scope('posts:read'),
    query: z.strictObject({ cursor: cursorLike(/^drf_[0-9A-Z]{26}$/), ...pageQuery }),
    status: 200,
    data: pageOf(ListedDraft),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, query }) => listDrafts(ctx, workspace.id, query),
)
