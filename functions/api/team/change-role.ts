import * as z from 'zod/mini'
import { workspaceOwnerUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { described } from '../../../shared/http/described.ts'
import { changeRole, findPair, memberErrors, otherKeys } from '../../../shared/workspaces/act-on-member.ts'
import { invitedRoles } from '../../../shared/workspaces/invitation.ts'
import { MemberView } from '../../../shared/workspaces/list-members.ts'
import { MemberPath } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/workspaces/{id}/members/{userId}',
    summary: "Change a member's role",
    description: 'Makes an admin a member, or a member an admin.',
    access: workspaceOwnerUnpaid,
    params: MemberPath,
    body: z.strictObject({ role: described(z.enum(invitedRoles), 'The new role.') }),
    status: 200,
    data: MemberView,
    errors: [...memberErrors],
    needs: ['table:read', 'table:write'],
    prefetch: otherKeys,
  },
  (call) => {
    const { ctx, member, params, body, prefetched } = call
    return changeRole(
      ctx,
      findPair(prefetched, member, params.userId),
      { role: body.role, rows: prefetched },
      actorOf(call),
    )
  },
)
