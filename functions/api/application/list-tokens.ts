import * as z from 'zod/mini'
import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { applicationKeys, findApplication } from '../../../shared/applications/application.ts'
import { ApplicationTokenView } from '../../../shared/applications/token.ts'
import { showAccessTokens } from '../../../shared/identity/list-access-tokens.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/application/tokens',
    summary: 'List the tokens of the application',
    description: 'Oldest first, without their secrets. Ended tokens stay in the list for 30 days.',
    access: workspaceAdmin,
    status: 200,
    data: z.array(ApplicationTokenView),
    errors: ['application_not_found'],
    needs: ['table:read'],
    prefetch: applicationKeys,
  },
  ({ ctx, workspace, prefetched }) => showAccessTokens(ctx, findApplication(prefetched, workspace.id).id),
)
