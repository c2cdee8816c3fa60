import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { connect } from '../../../shared/platforms/nostr/connect.ts'
import { NostrLogin } from '../../../shared/platforms/nostr/login.ts'
import { connectAccount } from '../../../shared/social-accounts/connect.ts'
import { OwnerId } from '../../../shared/social-accounts/owner-id.ts'
import { platformRefusalCodes, signedIn } from '../../../shared/social-accounts/platform-refusal.ts'
import { SocialAccountView, viewAccount } from '../../../shared/social-accounts/social-account.ts'

const ConnectNostr = z
  .extend(NostrLogin, { externalId: z.optional(OwnerId) })
  .register(z.globalRegistry, { id: 'ConnectNostrRequest', description: 'The key of a Nostr account, and its relays.' })

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/nostr',
    summary: 'Connect a Nostr account with its secret key',
    description:
      'At least one of the relays must answer. Reconnecting an account keeps its id, and replaces its relays and its media server. The key is stored encrypted; nothing at Nostr can revoke it. To have the owner of the account enter it on a page of the service, create a link with `POST /api/social-accounts/connect/nostr/link`.',
    access: scope('accounts:write'),
    body: ConnectNostr,
    status: 200,
    data: SocialAccountView,
    errors: ['url_not_allowed', 'concurrent_update', ...platformRefusalCodes],
    needs: ['table:read', 'table:write', 'queue:events', 'kms:decrypt', 'origins'],
  },
  async (call) => {
    const { ctx, workspace, body } = call
    const { externalId: integratorId, ...login } = body
    const connection = await signedIn(ctx, () => connect(ctx, login))
    return viewAccount(
      await connectAccount(ctx, workspace, connection, { by: actorOf(call), integratorId }),
      ctx.env('MEDIA_URL'),
    )
  },
)
