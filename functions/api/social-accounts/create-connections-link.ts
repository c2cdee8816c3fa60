import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { linkIntentOf } from '../../../shared/social-accounts/connect-request.ts'
import { ConnectionsLinkView, CreateConnectionsLink } from '../../../shared/social-accounts/connections-link.ts'
import { createLink } from '../../../shared/social-accounts/oauth-state.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connections/links',
    summary: 'Create a link to the connections of a customer',
    description:
      'Returns the URL of a page for one of your customers. It lists the accounts of the workspace with this `externalId`, says which of them must be connected again, and lets the customer disconnect each of them, or connect it again. Anyone with the URL can do so: send it to the customer only. `DELETE /api/social-accounts/connect/links/{id}` revokes it.',
    access: scope('accounts:write'),
    body: CreateConnectionsLink,
    status: 200,
    data: ConnectionsLinkView,
    errors: ['redirect_url_not_allowed'],
    needs: ['table:write'],
  },
  async ({ ctx, workspace, principal, body }) => {
    const intent = linkIntentOf(ctx, workspace, principal, body)
    const { id, authorizeUrl: url, expiresAt } = await createLink(ctx, { ...intent, opens: 'connections' })
    return { id, url, expiresAt }
  },
)
