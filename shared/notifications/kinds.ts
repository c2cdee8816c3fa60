/** What people are notified about; the names are those of events, where one exists. */
export const notificationKinds = [
  'post.publish_failed',
  'social_account.reconnect_required',
  'social_account.access_ending',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'workspace.trial_ending',
  'workspace.payment_failed',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** How a notification reaches a person. */
export const channels = ['push', 'mail'] as const
export type Channel = (typeof channels)[number]

/**
 * Who is notified. Decided: every active member can schedule posts and connect accounts, so all of them are; only owners
 * and admins manage webhooks and the plan.
 */
export const audienceOf: Readonly<Record<NotificationKind, 'members' | 'admins'>> = {
  'post.publish_failed': 'members',
  'social_account.reconnect_required': 'members',
  'social_account.access_ending': 'members',
  'webhook_endpoint.failing': 'admins',
  'webhook_endpoint.disabled': 'admins',
  'workspace.trial_ending': 'admins',
  'workspace.payment_failed': 'admins',
}
