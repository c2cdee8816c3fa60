import * as z from 'zod/mini'
import { workspaceOwnerUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { described } from '../../../shared/http/described.ts'
import { Id, idPath } from '../../../shared/http/id.ts'
import { findPair, memberErrors, memberKeys, transferOwnership } from '../../../shared/workspaces/act-on-member.ts'
import { MemberView } from '../../../shared/workspaces/list-members.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces/{id}/transfer-ownership',
    summary: 'Transfer ownership',
    description: 'The caller becomes an admin.',
    access: workspaceOwnerUnpaid,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    body: z.strictObject({ userId: described(Id, 'The ID of the member who becomes the owner.') }),
    status: 200,
    data: MemberView,
    errors: [...memberErrors, 'member_suspended'],
    needs: ['table:read', 'table:write'],
    prefetch: ({ workspaceId, body }) => memberKeys(workspaceId, body.userId),
  },
  (call) => {
    const { ctx, member, body, prefetched } = call
    return transferOwnership(ctx, findPair(prefetched, member, body.userId), prefetched, actorOf(call))
  },
)
