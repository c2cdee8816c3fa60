import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { changeStatus, findPair, memberErrors, otherKeys } from '../../../shared/workspaces/act-on-member.ts'
import { MemberView } from '../../../shared/workspaces/list-members.ts'
import { MemberPath } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces/{id}/members/{userId}/reactivate',
    summary: 'Reactivate a member',
    description: 'Gives a suspended member access again. Their sessions and tokens work as before.',
    access: workspaceAdminUnpaid,
    params: MemberPath,
    status: 200,
    data: MemberView,
    errors: [...memberErrors],
    needs: ['table:read', 'table:write'],
    prefetch: otherKeys,
  },
  (call) => {
    const { ctx, member, params, prefetched } = call
    return changeStatus(
      ctx,
      findPair(prefetched, member, params.userId),
      { status: 'active', rows: prefetched },
      actorOf(call),
    )
  },
)
