import * as z from 'zod/mini'
import { workspaceSession } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { browserPlatforms } from '../../../shared/platforms/connectors.ts'
import { createConnectLink } from '../../../shared/social-accounts/authorization-link.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/{platform}',
    summary: 'Create a link to connect an account',
    description:
      'Returns the URL of a page that names the workspace, the platform, and the person who requested the connection. The owner of the account opens it in a browser; its button leads to the platform. The link works for ten minutes, in one browser. Reconnecting an account keeps its id, its posts, and its history. Bluesky is connected by an app password.',
    access: workspaceSession,
    params: z.strictObject({ platform: z.enum(browserPlatforms) }),
    status: 200,
    data: z.object({ authorizeUrl: z.string() }),
    errors: ['platform_not_configured'],
    needs: ['table:write', 'platform-secrets'],
  },
  async ({ ctx, workspace, principal, params: { platform } }) => {
    const { userId, name, email } = sessionOf(principal)
    return { authorizeUrl: await createConnectLink(ctx, { userId, name, email, workspaceId: workspace.id, platform }) }
  },
)
