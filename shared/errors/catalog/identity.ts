import type { ErrorEntries } from '../reason.ts'

/** Sign-in, passwords, the second factor, sessions, tokens, and device login. */
export const identityErrors = {
  invalid_credentials: {
    reason: 'unauthenticated',
    message: 'The email address or the password is wrong.',
    meaning: 'No account has this email address and password.',
    fix: 'Correct the email address or the password, or reset the password.',
  },
  incorrect_password: {
    reason: 'forbidden',
    message: 'The current password is wrong.',
    meaning: 'The password that confirms the request is wrong.',
    fix: 'Send the current password of the account.',
  },
  email_not_verified: {
    reason: 'forbidden',
    message: 'The email address is not verified. Open the link in our email, or sign up again.',
    meaning: 'The password is right, but the email address of the account is not verified.',
    fix: 'Open the link of the sign-up email, or request another one with POST /api/auth/resend-verification.',
  },
  two_factor_required: {
    reason: 'forbidden',
    message: 'This account has a second factor. Send the code of its app as "code".',
    meaning: 'The password is right, and the account has a second factor.',
    fix: 'Send the same request with the code of the app, or a recovery code, as `code`.',
  },
  invalid_two_factor_code: {
    reason: 'unauthenticated',
    message: 'The code is wrong or was already used. Send the one that your app shows now.',
    meaning: 'The code of the second factor is wrong or was already used.',
    fix: 'Send the code that the app shows now, or an unused recovery code.',
  },
  enrollment_code_mismatch: {
    reason: 'invalid',
    message: 'The code does not match the new secret. Send the one that your app shows now.',
    meaning: 'The first code of a new second factor does not match its secret.',
    fix: 'Check the secret and the clock of the app, then send the code that it shows now.',
  },
  two_factor_not_enrolled: {
    reason: 'conflict',
    message: 'No enrollment is waiting for confirmation. Enroll first.',
    meaning: 'No second factor was enrolled in the last hour.',
    fix: 'Enroll one with POST /api/auth/two-factor/enroll.',
  },
  two_factor_already_enabled: {
    reason: 'conflict',
    message: 'This account already has a second factor. Turn it off first.',
    meaning: 'The account already has a second factor.',
    fix: 'Turn it off before you enroll another one.',
  },
  two_factor_not_enabled: {
    reason: 'conflict',
    message: 'This account has no second factor. Enroll one first.',
    meaning: 'The account has no second factor.',
    fix: 'Enroll one with POST /api/auth/two-factor/enroll.',
  },
  password_too_common: {
    reason: 'invalid',
    message: '"password" is one of the most common passwords. Choose another one.',
    meaning: 'The password is too easy to guess.',
    fix: 'Choose another password.',
  },
  password_matches_account: {
    reason: 'invalid',
    message: '"password" is your name, your email address, or the name of this service. Choose another one.',
    meaning: 'The password is the name or address of its owner, or the name of the service.',
    fix: 'Choose another password.',
  },
  invalid_reset_token: {
    reason: 'invalid',
    message: 'This link is unknown, was already used, or is older than one hour. Request a new one.',
    meaning: 'The link of a password reset is unknown, used, or older than one hour.',
    fix: 'Request a new link with POST /api/auth/request-password-reset.',
  },
  invalid_verification_token: {
    reason: 'invalid',
    message: 'This link is unknown or older than 24 hours. Sign up again to get a new one.',
    meaning: 'The link of a sign-up is unknown or older than 24 hours.',
    fix: 'Request a new link with POST /api/auth/resend-verification, or sign up again.',
  },
  email_already_verified: {
    reason: 'invalid',
    message: 'This link was already used, and the email address is verified. Sign in.',
    meaning: 'The link of the sign-up was already used.',
    fix: 'Sign in.',
  },
  session_not_found: {
    reason: 'missing',
    message: 'You have no session with this id.',
    meaning: 'The caller has no live session with this id.',
    fix: 'Use an id from GET /api/auth/sessions.',
  },
  token_not_found: {
    reason: 'missing',
    message: 'You have no token with this id.',
    meaning: 'The caller has no personal access token with this id.',
    fix: 'Use an id from GET /api/cli/tokens.',
  },
  authorization_pending: {
    reason: 'invalid',
    message: 'The login is not approved yet. Poll again in five seconds.',
    meaning: 'The person has not answered the device login yet (RFC 8628).',
    fix: 'Poll again after `interval` seconds.',
  },
  slow_down: {
    reason: 'invalid',
    message: 'You polled too soon. Wait five more seconds between polls from now on.',
    meaning: 'The device polls more often than `interval` allows (RFC 8628).',
    fix: 'Wait five more seconds between polls.',
  },
  access_denied: {
    reason: 'invalid',
    message: 'The login was denied in the browser. Start again if that was a mistake.',
    meaning: 'The person denied the device login (RFC 8628).',
    fix: 'Start a new device login if that was a mistake.',
  },
  expired_token: {
    reason: 'invalid',
    message: 'This device code is unknown, was already used, or is older than ten minutes. Start the login again.',
    meaning: 'The device code is unknown, used, or older than ten minutes (RFC 8628).',
    fix: 'Start a new device login.',
  },
  account_deletion_blocked: {
    reason: 'conflict',
    message: 'The account cannot be deleted yet. Resolve every entry of "blockers" first.',
    meaning: 'The account cannot be deleted yet; `blockers` says why, for each workspace.',
    fix: 'Transfer or delete these workspaces, and cancel their subscriptions.',
  },
  workspaces_not_confirmed: {
    reason: 'conflict',
    message: 'The account owns workspaces that are deleted with it. Name exactly these in "deleteWorkspaces".',
    meaning: 'The account is the only member of workspaces, and the request does not name exactly these.',
    fix: 'Send the ids of `workspacesToDelete` from GET /api/auth/user/deletion as `deleteWorkspaces`.',
  },
} as const satisfies ErrorEntries
