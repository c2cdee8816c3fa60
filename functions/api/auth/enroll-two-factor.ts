import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Enrollment, enrollTwoFactor, OwnPassword } from '../../../shared/identity/enroll-two-factor.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/two-factor/enroll',
    summary: 'Enroll a second factor',
    description:
      'Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds), once, and the same secret as an `otpauth:` URI. The factor has no effect until you confirm it with a code, within an hour.',
    access: session,
    body: OwnPassword,
    status: 201,
    data: Enrollment,
    errors: ['incorrect_password', 'two_factor_already_enabled'],
    needs: ['table:read', 'table:write', 'kms:encrypt:person', 'kms:decrypt:person'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
    secret: true,
  },
  ({ ctx, principal, body }) => enrollTwoFactor(ctx, sessionOf(principal), body),
)
