import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { DeviceView } from '../../../shared/notifications/devices/device.ts'
import { registerDevice } from '../../../shared/notifications/devices/register.ts'
import { RegisterDevice } from '../../../shared/notifications/devices/request.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/user/devices',
    summary: 'Register a device for push notifications',
    description:
      'Send the push token of an app (`token`), or the JSON of the PushSubscription of a browser (`endpoint`, `keys`). The same token or endpoint again is the same device. It belongs to the person who registered it last.',
    access: session,
    body: RegisterDevice,
    status: 201,
    data: DeviceView,
    errors: ['url_not_allowed', 'push_not_configured', 'quota_exceeded', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'push-providers'],
  },
  ({ ctx, principal, body }) => registerDevice(ctx, principal.userId, body),
)
