import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import {
  ApplicationChange,
  applicationKeys,
  findApplication,
  updateApplication,
} from '../../../shared/applications/application.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { ApplicationView } from '../../../shared/workspaces/application-row.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/application',
    summary: 'Change the application',
    description: 'Customers see the name, the logo, and the brand color on the pages where they connect accounts.',
    access: orApplication(workspaceAdmin),
    body: ApplicationChange,
    status: 200,
    data: ApplicationView,
    errors: ['application_not_found', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: applicationKeys,
  },
  (call) => {
    const { ctx, workspace: home, prefetched, body } = call
    const application = findApplication(prefetched, home.id)
    return updateApplication(ctx, { home, application }, body, actorOf(call))
  },
)
