import { NotificationsQuery, notificationsPage } from '../../../shared/notifications/page/show.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/notifications',
    summary: 'Show the devices and the notification settings of a person',
    visitor: 'required',
    query: NotificationsQuery,
    needs: ['table:read', 'token-keys', 'push-providers'],
  },
  ({ ctx, query: { done }, visitor }) => notificationsPage(ctx, visitor, { done }),
)
