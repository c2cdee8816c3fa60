import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { DeleteAccount, DeletedAccount, deleteAccount } from '../../../shared/deletion/account/request.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/auth/user',
    summary: 'Delete your account',
    description:
      'Cannot be undone. Signs you out everywhere immediately; the rest is removed within about an hour. Nothing is transferred to others: what blocks the deletion is returned with 409 and must be resolved first. Workspaces without another member are deleted, and must all be named. `GET /api/auth/user/deletion` shows both.',
    access: session,
    body: DeleteAccount,
    status: 200,
    data: DeletedAccount,
    errors: [
      'incorrect_password',
      'two_factor_required',
      'invalid_two_factor_code',
      'account_deletion_blocked',
      'workspaces_not_confirmed',
      'concurrent_update',
    ],
    needs: ['table:read', 'table:write', 'kms:decrypt:person', 'queue:purge', 'queue:drain'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
  },
  ({ ctx, principal, body }) => deleteAccount(ctx, sessionOf(principal), body),
)
