import * as z from 'zod/mini'
import { workspaceSessionUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { described } from '../../../shared/http/described.ts'
import { Id } from '../../../shared/http/id.ts'
import { endConnection, endedKeys } from '../../../shared/oauth/end-connection.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/workspaces/{id}/connections/{connectionId}',
    summary: 'Disconnect an assistant',
    description:
      'Revokes all tokens of the connection; the next call of the assistant is rejected. Members can end their own connections, owners and admins all connections.',
    access: workspaceSessionUnpaid,
    params: z.object({
      id: described(Id, 'The ID of the workspace, the same as in `X-Workspace-Id`.'),
      connectionId: described(Id, 'The ID of the connection.'),
    }),
    status: 200,
    data: Deleted,
    errors: ['connection_not_found', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: endedKeys,
  },
  async (call) => {
    const { ctx, member, params, prefetched } = call
    await endConnection(ctx, member, { rows: prefetched, publicId: params.connectionId }, actorOf(call))
    return { id: params.connectionId, deleted: true as const }
  },
)
