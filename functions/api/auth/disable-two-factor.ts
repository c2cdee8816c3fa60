import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { disableTwoFactor, OwnPasswordAndCode, proofErrors } from '../../../shared/identity/change-two-factor.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/two-factor/disable',
    summary: 'Disable the second factor',
    description:
      'Takes the password and a code from the app, or a recovery code. A wrong password returns 403, a wrong code 401.',
    access: session,
    body: OwnPasswordAndCode,
    status: 200,
    data: z.object({ twoFactorEnabled: described(z.literal(false), 'Always false.') }),
    errors: [...proofErrors],
    needs: ['table:read', 'table:write', 'kms:decrypt:person', 'queue:drain'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
  },
  async ({ ctx, principal, body }) => {
    await disableTwoFactor(ctx, sessionOf(principal), body)
    return { twoFactorEnabled: false as const }
  },
)
