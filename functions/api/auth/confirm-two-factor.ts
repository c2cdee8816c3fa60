import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { ConfirmTwoFactor, confirmTwoFactor, RecoveryCodes } from '../../../shared/identity/change-two-factor.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/two-factor/confirm',
    summary: 'Confirm the second factor',
    description:
      'From then on, sign-in requires a code. Returns ten recovery codes, once. Each recovery code replaces one code from the app, once.',
    access: session,
    body: ConfirmTwoFactor,
    status: 200,
    data: RecoveryCodes,
    errors: ['two_factor_not_enrolled', 'enrollment_code_mismatch', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'kms:decrypt:person', 'queue:drain'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
    secret: true,
  },
  ({ ctx, principal, body }) => confirmTwoFactor(ctx, sessionOf(principal), body),
)
