import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { changeStatus, memberErrors, otherKeys } from '../../../shared/workspaces/act-on-member.ts'
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
  (call) => changeStatus(call, 'active'),
)
