import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { applicationKeys, findApplication } from '../../../shared/applications/application.ts'
import { ChildWorkspaceView, childQuery, listChildWorkspaces } from '../../../shared/applications/child-workspace.ts'
import { pageOf } from '../../../shared/http/page.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/application/workspaces',
    summary: 'List child workspaces',
    description: 'Oldest first. `externalId` finds the workspace of one customer.',
    access: orApplication(workspaceAdmin),
    query: childQuery,
    status: 200,
    data: pageOf(ChildWorkspaceView),
    errors: ['application_not_found'],
    needs: ['table:read'],
    prefetch: applicationKeys,
  },
  ({ ctx, workspace, query, prefetched }) => listChildWorkspaces(ctx, findApplication(prefetched, workspace.id), query),
)
