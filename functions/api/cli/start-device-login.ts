import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { StartDeviceLogin, StartedDeviceLogin } from '../../../shared/identity/device-login.ts'
import { startDeviceLogin } from '../../../shared/identity/start-device-login.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/cli/auth/start',
    summary: 'Start a device login',
    description:
      'Device login as in RFC 8628: show `userCode` and `verificationUri` to the person, then poll with `deviceCode`, waiting `interval` seconds between polls.',
    access: anyone,
    body: StartDeviceLogin,
    bodyOptional: true,
    status: 200,
    data: StartedDeviceLogin,
    errors: [],
    needs: ['table:write'],
    limit: 'cli',
  },
  ({ ctx, body, request }) => startDeviceLogin(ctx, body ?? {}, request),
)
