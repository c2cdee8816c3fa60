import * as z from 'zod/mini'
import { workspaceSession } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Id } from '../../../shared/http/id.ts'
import { countScheduledPosts } from '../../../shared/posts/counts.ts'
import { Disconnected, disconnectAccount } from '../../../shared/social-accounts/disconnect.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/social-accounts/{id}',
    summary: 'Disconnect a social account',
    description:
      'Gives the connection back at the platform where it offers a way, and forgets the credentials. Scheduled posts stay: they fail at their time with a clear error unless the account is connected again before, which brings back the same id.',
    access: workspaceSession,
    params: z.strictObject({ id: Id }),
    status: 200,
    data: Disconnected,
    errors: ['account_not_found', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets', 'origins'],
  },
  ({ ctx, workspace, params: { id } }) =>
    disconnectAccount(ctx, workspace, id, () => countScheduledPosts(ctx, workspace.id, id)),
)
