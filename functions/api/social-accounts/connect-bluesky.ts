import { workspaceSession } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { BlueskyLogin, connect } from '../../../shared/platforms/bluesky/connect.ts'
import { connectAccount } from '../../../shared/social-accounts/connect.ts'
import { orRefusal, platformRefusalCodes } from '../../../shared/social-accounts/platform-refusal.ts'
import { SocialAccountView, viewAccount } from '../../../shared/social-accounts/social-account.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/bluesky',
    summary: 'Connect a Bluesky account with an app password',
    description: 'Reconnecting an account keeps its id. The password is not stored.',
    access: workspaceSession,
    body: BlueskyLogin,
    status: 200,
    data: SocialAccountView,
    errors: ['url_not_allowed', 'invalid_app_password', 'app_password_required', ...platformRefusalCodes],
    needs: ['table:write', 'kms:decrypt', 'origins'],
  },
  async ({ ctx, workspace, body }) => {
    const connection = await orRefusal(ctx, () => connect(ctx, body))
    return viewAccount(await connectAccount(ctx, workspace, connection))
  },
)
