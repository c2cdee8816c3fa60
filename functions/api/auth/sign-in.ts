import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Reply } from '../../../shared/http/reply.ts'
import { SignedIn, signedIn } from '../../../shared/identity/session.ts'
import { SignIn, signIn } from '../../../shared/identity/sign-in.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/sign-in/email',
    summary: 'Sign in',
    description:
      'Returns a session token for 30 days, in the body and in the header "set-auth-token". For an account with a second factor, a request with the right password but no `code` returns 403 `two_factor_required`. Send the same request again with the code.',
    access: anyone,
    body: SignIn,
    status: 200,
    data: SignedIn,
    errors: ['invalid_credentials', 'email_not_verified', 'two_factor_required', 'invalid_two_factor_code'],
    needs: ['table:read', 'table:write', 'token-keys', 'kms:decrypt:person', 'queue:drain'],
    limit: 'auth',
    memoryMb: wholeProcessorMb,
  },
  async ({ ctx, body, request }) => {
    const { token, session } = await signIn(ctx, body, request)
    return new Reply(signedIn(token, session), { 'set-auth-token': token })
  },
)
