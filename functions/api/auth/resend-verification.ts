import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { ToAddress } from '../../../shared/identity/request-password-reset.ts'
import { resendVerification } from '../../../shared/identity/resend-verification.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/resend-verification',
    summary: 'Resend the verification email',
    description:
      'The response is the same whether or not the address has a pending sign-up. The email tells its owner.',
    access: anyone,
    body: ToAddress,
    status: 200,
    data: z.object({ requested: described(z.literal(true), 'Always true, whatever the address.') }),
    errors: [],
    needs: ['table:read', 'table:write', 'mail'],
    limit: 'auth',
  },
  async ({ ctx, body }) => {
    await resendVerification(ctx, body)
    return { requested: true as const }
  },
)
