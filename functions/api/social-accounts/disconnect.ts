import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { described } from '../../../shared/http/described.ts'
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
    access: scope('accounts:write'),
    params: z.strictObject({ id: described(Id, 'The ID of the account, `acc_…`.') }),
    status: 200,
    data: Disconnected,
    errors: ['account_not_found', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'queue:events', 'kms:decrypt', 'platform-secrets', 'origins'],
  },
  (call) => {
    const { ctx, workspace, params } = call
    const countPosts = () => countScheduledPosts(ctx, workspace.id, params.id)
    return disconnectAccount(ctx, workspace, { id: params.id, countScheduledPosts: countPosts }, actorOf(call))
  },
)
