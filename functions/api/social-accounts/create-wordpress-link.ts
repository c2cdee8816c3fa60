import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { definition } from '../../../shared/platforms/wordpress/definition.ts'
import { ConnectLinkView, CreateConnectLink, intentOf } from '../../../shared/social-accounts/connect-request.ts'
import { createLinkAddress } from '../../../shared/social-accounts/oauth-state.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/wordpress/link',
    summary: 'Create a link to connect a WordPress site',
    description:
      'Like the links of the other platforms, but its page has a form: the owner of the account enters the site, the username, and an application password there, which your app never sees. The link works for ten minutes, for one account and ten attempts.',
    access: scope('accounts:write'),
    body: CreateConnectLink,
    bodyOptional: true,
    status: 200,
    data: ConnectLinkView,
    errors: ['redirect_url_not_allowed'],
    needs: ['table:write'],
  },
  async ({ ctx, workspace, principal, body }) => ({
    authorizeUrl: await createLinkAddress(ctx, {
      ...intentOf(workspace, principal, definition.id, body),
      providerName: definition.name,
    }),
  }),
)
