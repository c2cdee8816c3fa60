import { scope } from '../access/access.ts'
import { endpoint } from '../access/endpoint.ts'
import type { FormPlatform } from '../platforms/definitions.ts'
import { ConnectLinkView, CreateConnectLink, linkIntentOf } from './connect-request.ts'
import { createLink } from './oauth-state.ts'

/** The operation that creates a link to the page with the form of a platform. `account` and `inputs` continue sentences. */
export const formLink = <Id extends FormPlatform>(
  { id, name }: { id: Id; name: string },
  { account, inputs }: { account: string; inputs: string },
) =>
  endpoint(
    {
      method: 'POST',
      path: `/api/social-accounts/connect/${id}/link`,
      summary: `Create a link to connect a ${account}`,
      description: `Like the links of the other platforms, but its page has a form: the owner of the account enters ${inputs} there, which your app never sees. The link works for ten minutes, or for \`expiresInSeconds\`, for one account and ten attempts.`,
      access: scope('accounts:write'),
      body: CreateConnectLink,
      bodyOptional: true,
      status: 200,
      data: ConnectLinkView,
      errors: ['redirect_url_not_allowed'],
      needs: ['table:write'],
    },
    ({ ctx, workspace, principal, body }) =>
      createLink(ctx, { ...linkIntentOf(ctx, workspace, principal, body), platform: id, providerName: name }),
  )
