import * as z from 'zod/mini'
import { workspaceSessionUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { pageOf, pageQuery } from '../../../shared/http/page.ts'
import { listMembers, MemberView } from '../../../shared/workspaces/list-members.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}/members',
    summary: 'List members',
    description: 'Lists all members in the order they joined.',
    access: workspaceSessionUnpaid,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    query: z.strictObject(pageQuery),
    status: 200,
    data: pageOf(MemberView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, query }) => listMembers(ctx, workspace.id, query),
)
