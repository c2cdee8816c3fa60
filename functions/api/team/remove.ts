import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { findPair, memberErrors, otherKeys, removeMember } from '../../../shared/workspaces/act-on-member.ts'
import { MemberPath } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/workspaces/{id}/members/{userId}',
    summary: 'Remove a member',
    description: 'Removes the member and their tokens for the workspace.',
    access: workspaceAdminUnpaid,
    params: MemberPath,
    status: 200,
    data: Deleted,
    errors: [...memberErrors],
    needs: ['table:read', 'table:write'],
    prefetch: otherKeys,
  },
  async (call) => {
    const { ctx, member, params, prefetched } = call
    await removeMember(ctx, findPair(prefetched, member, params.userId), actorOf(call))
    return { id: params.userId, deleted: true as const }
  },
)
