import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { readProfile } from '../../../shared/notifications/profile.ts'
import { NotificationSettings, viewSettings } from '../../../shared/notifications/settings.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/notifications/settings',
    summary: 'Get what you are notified about',
    description: 'By kind and channel. Everything is on until you turn it off.',
    access: session,
    status: 200,
    data: NotificationSettings,
    errors: [],
    needs: ['table:read'],
  },
  async ({ ctx, principal }) => viewSettings(await readProfile(ctx, principal.userId)),
)
