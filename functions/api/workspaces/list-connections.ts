import * as z from 'zod/mini'
import { workspaceSessionUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { pageOf, pageQuery } from '../../../shared/http/page.ts'
import { ConnectionView, listConnections } from '../../../shared/oauth/connection-view.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}/connections',
    summary: 'List connected assistants',
    description:
      'Lists the assistants that can act in the workspace, newest first. Owners and admins see all of them, members their own.',
    access: workspaceSessionUnpaid,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    query: z.strictObject(pageQuery),
    status: 200,
    data: pageOf(ConnectionView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, member, query }) => listConnections(ctx, member, query),
)
