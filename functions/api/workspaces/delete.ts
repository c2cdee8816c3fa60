import * as z from 'zod/mini'
import { workspaceOwnerUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { deleteWorkspace } from '../../../shared/workspaces/deletion.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/workspaces/{id}',
    summary: 'Delete a workspace',
    description:
      'Repeat the slug in `confirm`. The workspace closes for everyone at once. Its contents are removed within minutes, the rest and the slug after an hour. What is live on the platforms stays there.',
    access: workspaceOwnerUnpaid,
    params: IdPath,
    query: z.strictObject({ confirm: z.optional(z.string()) }),
    status: 200,
    data: Deleted,
    errors: ['confirmation_required', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'queue:purge'],
  },
  async ({ ctx, workspace, member, query }) => {
    await deleteWorkspace(ctx, workspace, member, query.confirm)
    return { id: workspace.id, deleted: true as const }
  },
)
