import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { ConnectLinkView, linkIntentOf } from '../../../shared/social-accounts/connect-request.ts'
import { CreatePlatformsLink, createPlatformsLink } from '../../../shared/social-accounts/platform-menu.ts'
import { platformRefusalCodes } from '../../../shared/social-accounts/platform-refusal.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/links',
    summary: 'Create a link to connect an account of any platform',
    description:
      'Returns the URL of a page with a button for each platform, or for those in `platforms`. A button leads to the page that a link for that platform has, and the person returns in the same way. The link can be used again until it ends, for at most 30 choices.',
    access: scope('accounts:write'),
    body: CreatePlatformsLink,
    bodyOptional: true,
    status: 200,
    data: ConnectLinkView,
    errors: [...platformRefusalCodes, 'redirect_url_not_allowed'],
    needs: ['table:write', 'platform-secrets'],
  },
  ({ ctx, workspace, principal, body: { platforms, ...body } = {} }) =>
    createPlatformsLink(ctx, linkIntentOf(ctx, workspace, principal, body), platforms),
)
