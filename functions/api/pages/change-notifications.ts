import { NotificationsForm, submitNotifications } from '../../../shared/notifications/page/form.ts'
import { notificationsPage } from '../../../shared/notifications/page/show.ts'
import { withQuery } from '../../../shared/pages/own-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/notifications',
    summary: 'Register this browser, remove a device, send a test, or save the notification settings',
    visitor: 'required',
    // Decided: this form checks no password, so a person can change more in 15 minutes than they can try passwords.
    limit: 'general',
    form: NotificationsForm,
    needs: ['table:read', 'table:write', 'token-keys', 'push-providers', 'queue:notify'],
  },
  async (visit) => {
    await submitNotifications(visit)
    return new Redirect(withQuery('/notifications', { done: visit.form.act }))
  },
  ({ ctx, visitor }, refusal) => notificationsPage(ctx, visitor, { refusal }),
)
