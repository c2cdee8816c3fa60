import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { connect } from '../../../shared/platforms/bluesky/connect.ts'
import { BlueskyLogin } from '../../../shared/platforms/bluesky/login.ts'
import { connectAccount } from '../../../shared/social-accounts/connect.ts'
import { OwnerId } from '../../../shared/social-accounts/owner-id.ts'
import { platformRefusalCodes, signedIn } from '../../../shared/social-accounts/platform-refusal.ts'
import { SocialAccountView, viewAccount } from '../../../shared/social-accounts/social-account.ts'

const ConnectBluesky = z
  .extend(BlueskyLogin, { externalId: z.optional(OwnerId) })
  .register(z.globalRegistry, { id: 'ConnectBlueskyRequest', description: 'How to sign in at Bluesky.' })

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/bluesky',
    summary: 'Connect a Bluesky account with an app password',
    description:
      'Reconnecting an account keeps its id. The password is not stored. To have the owner of the account enter it on a page of the service, create a link with `POST /api/social-accounts/connect/bluesky/link`.',
    access: scope('accounts:write'),
    body: ConnectBluesky,
    status: 200,
    data: SocialAccountView,
    errors: [
      'url_not_allowed',
      'invalid_app_password',
      'app_password_required',
      'concurrent_update',
      ...platformRefusalCodes,
    ],
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
