import type { ErrorEntries } from '../entry.ts'

/** Connections to social accounts, and what the platforms say. */
export const accountErrors = {
  account_not_found: {
    reason: 'missing',
    message: 'This workspace has no account acc_3ujT0dY1wqz5N8rXbC2LmKpQe.',
    meaning: 'The workspace has no connected social account with this id, or none of the platform.',
    fix: 'Use an id from GET /api/social-accounts, or connect an account first.',
  },
  account_access_revoked: {
    reason: 'missing',
    message: 'Pinterest does not accept the connection any more: connect the account again.',
    meaning: 'The platform no longer accepts the connection of the account.',
    fix: 'Reconnect the account; its id stays.',
  },
  platform_resource_not_found: {
    reason: 'missing',
    message: 'The subreddit does not exist: choose another one.',
    meaning: 'The platform has no such subreddit, board, or channel, or does not show it to the account.',
    fix: 'Choose one that the account can see.',
  },
  platform_rejected: {
    reason: 'invalid',
    message: 'Bluesky rejected the request: account is deactivated.',
    meaning: 'The platform rejected the request.',
    fix: 'Do what the message says; it ends with the reason that the platform gave.',
  },
  platform_rate_limited: {
    reason: 'limited',
    message: 'Pinterest takes no more Pins for a while.',
    meaning: 'The platform accepts no more calls for the account at the moment.',
    fix: 'Retry after the seconds that `Retry-After` names.',
  },
  platform_unavailable: {
    reason: 'unavailable',
    message: 'Pinterest could not be reached. Try again in a moment.',
    meaning: 'The platform does not answer.',
    fix: 'Retry in a moment.',
  },
  platform_not_configured: {
    reason: 'unavailable',
    message: 'Pinterest is not set up here: the operator must store its app.',
    meaning: 'The app of the operator at the platform is missing, or the platform rejects it.',
    fix: 'Contact the operator of the service.',
  },
  invalid_app_password: {
    reason: 'invalid',
    message: 'Bluesky does not accept this name with this app password. Check both.',
    meaning: 'Bluesky does not accept the name with the app password.',
    fix: 'Check the name, and create a new app password.',
  },
  app_password_required: {
    reason: 'invalid',
    message: 'This is the main password of the account. Create an app password in the settings of Bluesky.',
    meaning: 'The password is the main password of the Bluesky account.',
    fix: 'Create an app password in the settings of Bluesky.',
  },
} as const satisfies ErrorEntries
