import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { applicationKeys, findApplication, viewApplication } from '../../../shared/applications/application.ts'
import { ApplicationView } from '../../../shared/workspaces/application-row.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/application',
    summary: 'Get the application',
    description: 'The application of the workspace, and what it uses of its limits.',
    access: orApplication(workspaceAdmin),
    status: 200,
    data: ApplicationView,
    errors: ['application_not_found'],
    needs: ['table:read'],
    prefetch: applicationKeys,
  },
  ({ ctx, workspace, prefetched }) => viewApplication(ctx, findApplication(prefetched, workspace.id), workspace),
)
