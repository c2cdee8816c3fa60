import { workspaceOwner } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { RegisterApplication, registerApplication } from '../../../shared/applications/application.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { ApplicationView } from '../../../shared/workspaces/application-row.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/application',
    summary: 'Register an application',
    description:
      'For a product of yours whose customers publish: the application owns a child workspace for each of them, and its tokens act there. A workspace has one application, which its plan pays for.',
    access: workspaceOwner,
    body: RegisterApplication,
    status: 201,
    data: ApplicationView,
    errors: ['application_registered', 'child_workspace'],
    needs: ['table:read', 'table:write'],
  },
  (call) => registerApplication(call.ctx, call.workspace, call.body, actorOf(call)),
)
