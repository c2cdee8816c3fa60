import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { changeStatus, memberErrors, otherKeys } from '../../../shared/workspaces/act-on-member.ts'
import { MemberView } from '../../../shared/workspaces/list-members.ts'
import { MemberPath } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces/{id}/members/{userId}/suspend',
    summary: 'Suspend a member',
    description: "A suspended member's sessions and tokens no longer give access to the workspace.",
    access: workspaceAdminUnpaid,
    params: MemberPath,
    status: 200,
    data: MemberView,
    errors: [...memberErrors],
    needs: ['table:read', 'table:write'],
    prefetch: otherKeys,
  },
  (call) => changeStatus(call, 'suspended'),
)
