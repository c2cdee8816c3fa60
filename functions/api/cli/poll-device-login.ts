import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Reply } from '../../../shared/http/reply.ts'
import { PollDeviceLogin } from '../../../shared/identity/device-login.ts'
import { pollDeviceLogin } from '../../../shared/identity/poll-device-login.ts'
import { SignedIn, signedIn } from '../../../shared/identity/session.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/cli/auth/poll',
    summary: 'Poll for device authorization',
    description:
      'Returns a session like sign-in, once. Until then it returns 400 with the `code` `authorization_pending`, `slow_down`, `access_denied`, or `expired_token`. A poll that keeps the interval and returns `authorization_pending` does not count against the rate limit.',
    access: anyone,
    body: PollDeviceLogin,
    status: 200,
    data: SignedIn,
    errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'],
    needs: ['table:read', 'table:write', 'token-keys'],
    limit: 'cli',
    uncounted: ['authorization_pending'],
  },
  async ({ ctx, body, request }) => {
    const { token, session } = await pollDeviceLogin(ctx, body.deviceCode, request.userAgent)
    return new Reply(signedIn(token, session), { 'set-auth-token': token })
  },
)
