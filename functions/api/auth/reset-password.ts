import * as z from 'zod/mini'
import { anyone } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { ResetPassword, resetPassword } from '../../../shared/identity/reset-password.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/reset-password',
    summary: 'Choose a new password by the link of a mail',
    description: 'The link works once, for one hour, and ends all sessions; personal access tokens stay.',
    access: anyone,
    body: ResetPassword,
    status: 200,
    data: z.object({ passwordChanged: z.literal(true) }),
    refuses: [],
    needs: ['table:read', 'table:write'],
  },
  async ({ ctx, body, request }) => {
    await resetPassword(ctx, body, request)
    return { passwordChanged: true as const }
  },
)
