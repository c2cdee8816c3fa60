import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { ChangePassword, changePassword } from '../../../shared/identity/change-password.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { passwordErrors } from '../../../shared/identity/weak-password.ts'
import { personAssistants } from '../../../shared/oauth/person-assistants.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/change-password',
    summary: 'Change your password',
    description:
      'Ends all your other sessions at the same time. Personal access tokens, assistants, and tokens of your applications stay valid; the confirmation email names the last two. Links to connect accounts that a session made end. A wrong current password returns 403.',
    access: session,
    body: ChangePassword,
    status: 200,
    data: z.object({ passwordChanged: described(z.literal(true), 'Always true.') }),
    errors: ['incorrect_password', ...passwordErrors, 'concurrent_update'],
    needs: ['table:read', 'table:write', 'queue:drain'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
  },
  async ({ ctx, principal, body }) => {
    await changePassword(ctx, sessionOf(principal), body, personAssistants)
    return { passwordChanged: true as const }
  },
)
