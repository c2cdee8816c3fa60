import * as z from 'zod/mini'
import { workspaceSession } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { browserPlatforms } from '../../../shared/platforms/connectors.ts'
import { beginConnect } from '../../../shared/social-accounts/begin-connect.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/{platform}',
    summary: 'Begin to connect an account of a platform',
    description:
      'Answers the address where the person lets the service in, in a browser; it works once, for ten minutes. Connecting an account that is known keeps its id, its posts and its history. Bluesky is connected by an app password.',
    access: workspaceSession,
    params: z.strictObject({ platform: z.enum(browserPlatforms) }),
    status: 200,
    data: z.object({ authorizeUrl: z.string() }),
    refuses: ['invalid', 'unavailable'],
    needs: ['table:write', 'platform-secrets'],
  },
  async ({ ctx, workspace, principal, params: { platform } }) => ({
    authorizeUrl: await beginConnect(ctx, { userId: principal.userId, workspaceId: workspace.id, platform }),
  }),
)
