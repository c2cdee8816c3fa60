import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { verifyEmail } from '../../../shared/identity/verify-email.ts'

// Decided: a GET, so that the link in the email works where it is clicked. A mail scanner that opens it first only
// verifies the address: no session is created, and the person who clicks next is asked to sign in.
export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/auth/verify-email',
    summary: 'Verify an email address',
    description: 'The link works once, for 24 hours.',
    access: anyone,
    query: z.strictObject({
      token: described(z.string().check(z.maxLength(100)), 'The token in the link of the email.'),
    }),
    status: 200,
    data: z.object({ verified: described(z.literal(true), 'Always true.') }),
    errors: ['invalid_verification_token', 'email_already_verified'],
    needs: ['table:read', 'table:write'],
    limit: 'auth',
  },
  async ({ ctx, query }) => {
    await verifyEmail(ctx, query.token)
    return { verified: true as const }
  },
)
