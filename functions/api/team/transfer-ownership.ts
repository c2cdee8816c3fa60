import * as z from 'zod/mini'
import { workspaceOwnerUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Id, IdPath } from '../../../shared/http/id.ts'
import { findPair, memberErrors, memberKeys, transferOwnership } from '../../../shared/workspaces/act-on-member.ts'
import { MemberView } from '../../../shared/workspaces/list-members.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces/{id}/transfer-ownership',
    summary: 'Transfer ownership',
    description: 'The caller becomes an admin.',
    access: workspaceOwnerUnpaid,
    params: IdPath,
    body: z.strictObject({ userId: Id }),
    status: 200,
    data: MemberView,
    errors: [...memberErrors, 'member_suspended'],
    needs: ['table:read', 'table:write'],
    prefetch: ({ workspaceId, body }) => memberKeys(workspaceId, body.userId),
  },
  ({ ctx, member, body, prefetched }) => transferOwnership(ctx, findPair(prefetched, member, body.userId), prefetched),
)
