import * as z from 'zod/mini'
import { workspaceSessionUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { described } from '../../../shared/http/described.ts'
import { idPath } from '../../../shared/http/id.ts'
import { leaveWorkspace } from '../../../shared/workspaces/act-on-member.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces/{id}/leave',
    summary: 'Leave a workspace',
    description: 'The owner must transfer the ownership first.',
    access: workspaceSessionUnpaid,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    status: 200,
    data: z.object({
      id: described(z.string(), 'The ID of the workspace.'),
      left: described(z.literal(true), 'Always true.'),
    }),
    errors: ['owner_cannot_leave', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
  },
  async (call) => {
    const { ctx, workspace, member } = call
    await leaveWorkspace(ctx, member, actorOf(call))
    return { id: workspace.id, left: true as const }
  },
)
