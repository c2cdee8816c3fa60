import { workspacesPage } from '../../../shared/home/workspaces-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/workspaces',
    summary: 'Show the workspaces of a person',
    visitor: 'required',
    needs: ['table:read', 'token-keys'],
  },
  ({ ctx, visitor }) => workspacesPage(ctx, visitor),
)
