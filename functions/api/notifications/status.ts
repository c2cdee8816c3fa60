import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { NotificationStatus, readStatus } from '../../../shared/notifications/status.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/notifications/status',
    summary: 'Get whether push notifications can be sent to you',
    description: 'A browser subscribes with `vapidPublicKey` as its `applicationServerKey`.',
    access: session,
    status: 200,
    data: NotificationStatus,
    errors: [],
    needs: ['table:read', 'push-providers'],
  },
  ({ ctx, principal }) => readStatus(ctx, principal.userId),
)
