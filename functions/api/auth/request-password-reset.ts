import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { requestPasswordReset, ToAddress } from '../../../shared/identity/request-password-reset.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/request-password-reset',
    summary: 'Request a password reset email',
    description: 'The response is the same whether or not the address has an account. The email tells its owner.',
    access: anyone,
    body: ToAddress,
    status: 200,
    data: z.object({ requested: described(z.literal(true), 'Always true, whatever the address.') }),
    errors: [],
    needs: ['table:read', 'table:write', 'mail'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
  },
  async ({ ctx, body }) => {
    await requestPasswordReset(ctx, body)
    return { requested: true as const }
  },
)
