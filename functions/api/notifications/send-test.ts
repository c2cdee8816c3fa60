import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { SendTestNotification, SentTest, sendTest } from '../../../shared/notifications/send-test.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/notifications/test',
    summary: 'Send a test notification to your devices',
    description:
      'To one device, or to all of yours. The messages are sent after the response. A device that its provider no longer knows disappears from the list.',
    access: session,
    body: SendTestNotification,
    bodyOptional: true,
    status: 200,
    data: SentTest,
    errors: ['push_not_configured', 'device_not_found', 'no_device'],
    needs: ['table:read', 'table:write', 'push-providers', 'queue:notify'],
  },
  ({ ctx, principal, body }) => sendTest(ctx, principal.userId, body ?? {}),
)
