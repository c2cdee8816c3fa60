import { WorkspaceQuery } from '../../../shared/home/input.ts'
import { workspacePage } from '../../../shared/home/workspace-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/workspace',
    summary: 'Show a workspace',
    visitor: 'required',
    query: WorkspaceQuery,
    needs: ['table:read', 'token-keys'],
  },
  ({ ctx, query, visitor }) => workspacePage(ctx, visitor, { query }),
)
