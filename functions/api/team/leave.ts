import * as z from 'zod/mini'
import { workspaceSessionUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { leaveWorkspace } from '../../../shared/workspaces/act-on-member.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces/{id}/leave',
    summary: 'Leave a workspace',
    description: 'The owner must transfer the ownership first.',
    access: workspaceSessionUnpaid,
    params: IdPath,
    status: 200,
    data: z.object({ id: z.string(), left: z.literal(true) }),
    errors: ['owner_cannot_leave', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
  },
  async ({ ctx, workspace, member }) => {
    await leaveWorkspace(ctx, member)
    return { id: workspace.id, left: true as const }
  },
)
