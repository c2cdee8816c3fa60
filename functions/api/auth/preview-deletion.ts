import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { AccountDeletionPreview, planDeletion } from '../../../shared/deletion/account/preview.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/auth/user/deletion',
    summary: 'Preview the deletion of your account',
    description:
      'Shows what blocks a deletion, and which workspaces it would delete or leave. Subscriptions can lag behind Stripe by minutes: a new one can be missing, and a canceled one can still block the deletion. A deletion ends every subscription of the workspaces that it deletes.',
    access: session,
    status: 200,
    data: AccountDeletionPreview,
    errors: [],
    needs: ['table:read'],
    limit: 'auth',
  },
  async ({ ctx, principal }) => (await planDeletion(ctx, principal.userId)).preview,
)
