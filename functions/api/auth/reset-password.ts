import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorByLink } from '../../../shared/audit/actor.ts'
import { described } from '../../../shared/http/described.ts'
import { ResetPassword, resetPassword } from '../../../shared/identity/reset-password.ts'
import { passwordErrors } from '../../../shared/identity/weak-password.ts'
import { personAssistants } from '../../../shared/oauth/person-assistants.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/reset-password',
    summary: 'Reset a password',
    description:
      'The link works once, for one hour, and ends all sessions. Personal access tokens and assistants stay valid unless `revokeTokens` is true; tokens of your applications stay valid. The confirmation email names those that stay. Links to connect accounts end with the session or token that made them.',
    access: anyone,
    body: ResetPassword,
    status: 200,
    data: z.object({ passwordChanged: described(z.literal(true), 'Always true.') }),
    errors: ['invalid_reset_token', ...passwordErrors],
    needs: ['table:read', 'table:write', 'queue:drain'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
  },
  async (call) => {
    const { ctx, body, request } = call
    await resetPassword(ctx, body, { ip: request.ip, by: actorByLink(call), assistants: personAssistants })
    return { passwordChanged: true as const }
  },
)
