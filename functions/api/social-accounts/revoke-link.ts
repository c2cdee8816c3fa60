import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { idPath } from '../../../shared/http/id.ts'
import { revokeLink } from '../../../shared/social-accounts/oauth-state.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/social-accounts/connect/links/{id}',
    summary: 'Revoke a link to connect accounts, or to the connections of a customer',
    description:
      'The link stops working immediately. A login that has begun can still finish within ten minutes, and connected accounts stay.',
    access: scope('accounts:write'),
    params: idPath('The ID of the link, `lnk_…`.'),
    status: 200,
    data: Deleted,
    errors: ['connect_link_not_found'],
    needs: ['table:write'],
  },
  async ({ ctx, workspace, params: { id } }) => {
    await revokeLink(ctx, workspace.id, id)
    return { id, deleted: true as const }
  },
)
