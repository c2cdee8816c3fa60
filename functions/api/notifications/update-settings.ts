import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import {
  ChangeNotificationSettings,
  NotificationSettings,
  updateSettings,
} from '../../../shared/notifications/settings.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/notifications/settings',
    summary: 'Change what you are notified about',
    description: 'The change merges: kinds and channels that you omit do not change. Returns all settings.',
    access: session,
    body: ChangeNotificationSettings,
    status: 200,
    data: NotificationSettings,
    errors: ['concurrent_update'],
    needs: ['table:read', 'table:write'],
  },
  ({ ctx, principal, body }) => updateSettings(ctx, principal.userId, body),
)
