import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { CreateWorkspace, createWorkspace } from '../../../shared/workspaces/create.ts'
import { assertOwnedQuota } from '../../../shared/workspaces/list.ts'
import { WorkspaceView } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces',
    summary: 'Create a workspace',
    description: 'The caller becomes the owner. Without a slug, one is made from the name.',
    access: session,
    body: CreateWorkspace,
    status: 201,
    data: WorkspaceView,
    errors: ['slug_taken', 'quota_exceeded'],
    needs: ['table:read', 'table:write', 'kms:encrypt', 'billing'],
  },
  async (call) => {
    const { ctx, principal, body } = call
    await assertOwnedQuota(ctx, principal.userId)
    return createWorkspace(ctx, principal.userId, body, actorOf(call))
  },
)
