import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { SignUp, signUp } from '../../../shared/identity/sign-up.ts'
import { passwordErrors } from '../../../shared/identity/weak-password.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/sign-up/email',
    summary: 'Sign up',
    description: 'Sends a link to verify the address. The response is the same whether the address is new or taken.',
    access: anyone,
    body: SignUp,
    status: 200,
    data: z.object({
      verificationRequired: described(z.literal(true), 'Always true: open the link in the email to sign in.'),
    }),
    errors: [...passwordErrors],
    needs: ['table:write', 'mail'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
  },
  async ({ ctx, body }) => {
    await signUp(ctx, body)
    return { verificationRequired: true as const }
  },
)
