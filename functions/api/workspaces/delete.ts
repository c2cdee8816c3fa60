import * as z from 'zod/mini'
import { workspaceOwnerUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { described } from '../../../shared/http/described.ts'
import { idPath } from '../../../shared/http/id.ts'
import { assertNoLiveDeletion } from '../../../shared/posts/live-work/pending.ts'
import { deleteWorkspace } from '../../../shared/workspaces/deletion.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/workspaces/{id}',
    summary: 'Delete a workspace',
    description:
      'Repeat the slug in `confirm`. The workspace closes for everyone immediately. Its contents are removed within minutes, the rest and the slug after an hour. What is live on the platforms stays there. While a platform is being asked to delete a live post, the workspace cannot be deleted: 409 `live_change_pending`.',
    access: workspaceOwnerUnpaid,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    query: z.strictObject({
      confirm: described(
        z.optional(z.string()),
        'The slug of the workspace, to confirm the deletion. Without it, the request returns 400.',
      ),
    }),
    status: 200,
    data: Deleted,
    errors: ['confirmation_required', 'concurrent_update', 'live_change_pending'],
    needs: ['table:read', 'table:write', 'queue:purge'],
  },
  async (call) => {
    const { ctx, workspace, member, query } = call
    await assertNoLiveDeletion(ctx, workspace.id)
    await deleteWorkspace(ctx, workspace, { owner: member, confirm: query.confirm }, actorOf(call))
    return { id: workspace.id, deleted: true as const }
  },
)
