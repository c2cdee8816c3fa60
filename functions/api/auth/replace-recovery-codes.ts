import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import {
  OwnPasswordAndCode,
  proofErrors,
  RecoveryCodes,
  replaceRecoveryCodes,
} from '../../../shared/identity/change-two-factor.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/two-factor/recovery-codes',
    summary: 'Replace recovery codes',
    description:
      'Returns ten new codes, once; the old codes stop working. Takes the password and a code, like disabling the factor.',
    access: session,
    body: OwnPasswordAndCode,
    status: 200,
    data: RecoveryCodes,
    errors: [...proofErrors],
    needs: ['table:read', 'table:write', 'kms:decrypt:person', 'queue:drain'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
    secret: true,
  },
  ({ ctx, principal, body }) => replaceRecoveryCodes(ctx, sessionOf(principal), body),
)
