import type { ErrorEntries } from '../reason.ts'

/** Connections to social accounts, and errors of the platforms. */
export const accountErrors = {
  account_not_found: {
    reason: 'missing',
    message: 'This workspace has no account acc_3ujT0dY1wqz5N8rXbC2LmKpQe.',
    meaning: 'The workspace has no connected social account with this id, or none of the platform.',
    fix: 'Use an id from GET /api/social-accounts, or connect an account first.',
  },
  account_access_revoked: {
    reason: 'missing',
    message: 'Pinterest access was revoked or expired. Reconnect the account.',
    meaning: 'The owner or the platform revoked the access, or it expired.',
    fix: 'Reconnect the account; its id stays.',
  },
  platform_resource_not_found: {
    reason: 'missing',
    message: 'Reddit subreddit not found. Choose another one.',
    meaning: 'The platform has no such subreddit, board, or channel, or does not show it to the account.',
    fix: 'Choose one that the account can see.',
  },
  platform_rejected: {
    reason: 'invalid',
    message: 'Bluesky rejected the post: account is deactivated.',
    meaning: 'The platform rejected the request.',
    fix: 'Follow the message, which ends with the reason that the platform gave.',
  },
  platform_rate_limited: {
    reason: 'limited',
    message: 'Pinterest rate limit reached for this account. Try again later.',
    meaning: 'The rate limit of the platform is reached for the account.',
    fix: 'Retry after the seconds that `Retry-After` names.',
  },
  platform_unavailable: {
    reason: 'unavailable',
    message: 'Pinterest could not be reached. Try again in a moment.',
    meaning: 'The platform does not respond.',
    fix: 'Retry in a moment.',
  },
  platform_not_configured: {
    reason: 'unavailable',
    message: 'Pinterest is not configured: no app credentials are stored. Contact the operator of this service.',
    meaning: 'The app of the operator at the platform is missing, or the platform rejects it.',
    fix: 'Contact the operator of the service.',
  },
  platform_api_ended: {
    reason: 'invalid',
    message: 'Reddit has closed its API, so this service can no longer publish there.',
    meaning: 'The platform has closed its API, or no longer answers the version that the service calls.',
    fix: 'See `api` of the platform in GET /api/platforms. If a version has ended, contact the operator of the service.',
  },
  invalid_app_password: {
    reason: 'invalid',
    message: 'Bluesky rejected this handle and app password. Check both.',
    meaning: 'Bluesky or the WordPress site rejected the name and the app password.',
    fix: 'Check the name, and create a new app password.',
  },
  app_password_required: {
    reason: 'invalid',
    message:
      'Bluesky app password required: this is the main password of the account. Create an app password in the settings of Bluesky.',
    meaning: 'The password is the main password of the Bluesky account.',
    fix: 'Create an app password in the settings of Bluesky.',
  },
  redirect_url_not_allowed: {
    reason: 'invalid',
    message:
      'The workspace does not allow this redirect URL. Add it to "redirectUrls" with PATCH /api/workspaces/ws_01KAJ3V9Q6M0T4W2Y8Z5X7C1B3, or send one of them unchanged.',
    meaning: '`redirectUrl` is not one of the `redirectUrls` of the workspace, character by character.',
    fix: 'Add the URL with PATCH /api/workspaces/{id}, or send one that is allowed.',
  },
} as const satisfies ErrorEntries
