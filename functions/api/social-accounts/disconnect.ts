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
      'Revokes the access at the platform, where the platform allows it, and deletes the credentials. Scheduled posts stay. They fail at their time with a clear error unless the account is reconnected, which restores its id.',
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
