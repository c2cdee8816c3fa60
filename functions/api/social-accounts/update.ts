import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { idPath } from '../../../shared/http/id.ts'
import { SocialAccountView, socialAccounts, viewAccount } from '../../../shared/social-accounts/social-account.ts'
import { UpdateSocialAccount, updateAccount } from '../../../shared/social-accounts/update.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/social-accounts/{id}',
    summary: 'Update a social account',
    description:
      'Changes whose account it is in your own system. Later events of the account have the new `externalId`; the change itself sends none. The names and the picture are those of the platform.',
    access: scope('accounts:write'),
    params: idPath('The ID of the account, `acc_…`.'),
    body: UpdateSocialAccount,
    status: 200,
    data: SocialAccountView,
    errors: ['account_not_found', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: ({ workspaceId, params }) => [socialAccounts.key({ workspaceId, id: params.id })],
  },
  async (call) => {
    const { ctx, workspace, params, body, prefetched } = call
    const key = { workspaceId: workspace.id, id: params.id }
    const update = { asRead: socialAccounts.from(prefetched, key), change: body }
    return viewAccount(await updateAccount(ctx, key, update, actorOf(call)), ctx.env('MEDIA_URL'))
  },
)
