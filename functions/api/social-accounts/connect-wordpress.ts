import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { connect } from '../../../shared/platforms/wordpress/connect.ts'
import { WordPressLogin } from '../../../shared/platforms/wordpress/login.ts'
import { connectAccount } from '../../../shared/social-accounts/connect.ts'
import { OwnerId } from '../../../shared/social-accounts/owner-id.ts'
import { platformRefusalCodes, signedIn } from '../../../shared/social-accounts/platform-refusal.ts'
import { SocialAccountView, viewAccount } from '../../../shared/social-accounts/social-account.ts'

const ConnectWordPress = z
  .extend(WordPressLogin, { externalId: z.optional(OwnerId) })
  .register(z.globalRegistry, { id: 'ConnectWordPressRequest', description: 'How to sign in at a WordPress site.' })

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/wordpress',
    summary: 'Connect a user of a WordPress site with an application password',
    description:
      'Reconnecting an account keeps its id. The application password is stored encrypted; disconnecting the account deletes it at the site. To have the owner of the account enter it on a page of the service, create a link with `POST /api/social-accounts/connect/wordpress/link`.',
    access: scope('accounts:write'),
    body: ConnectWordPress,
    status: 200,
    data: SocialAccountView,
    errors: ['url_not_allowed', 'invalid_app_password', 'concurrent_update', ...platformRefusalCodes],
    needs: ['table:read', 'table:write', 'queue:events', 'kms:decrypt', 'origins'],
  },
  async (call) => {
    const { ctx, workspace, body } = call
    const connection = await signedIn(ctx, () => connect(ctx, body))
    return viewAccount(
      await connectAccount(ctx, workspace, connection, { by: actorOf(call), integratorId: body.externalId }),
      ctx.env('MEDIA_URL'),
    )
  },
)
