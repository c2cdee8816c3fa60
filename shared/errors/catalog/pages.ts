import type { ErrorEntries } from '../reason.ts'

/** Errors of the HTML pages only; the security log names the code. */
export const pageErrors = {
  invalid_form: {
    reason: 'invalid',
    message: 'The form must be sent as "application/x-www-form-urlencoded".',
    meaning: 'The form was not sent as browsers send it.',
    fix: 'Send the form from the page in a browser.',
  },
  cross_site_form: {
    reason: 'forbidden',
    message: 'This form was sent from another site. Open the page and send it from there.',
    meaning: 'Another site sent the form.',
    fix: 'Open the page, and send the form from there.',
  },
  invalid_form_key: {
    reason: 'forbidden',
    message: 'This form belongs to another sign-in. Go back, reload the page, and try again.',
    meaning: 'The form was made for another session.',
    fix: 'Reload the page, and send the form again.',
  },
  sign_in_expired: {
    reason: 'invalid',
    message: 'This sign-in took longer than five minutes. Enter your password again.',
    meaning: 'The code of the second factor arrived more than five minutes after the password.',
    fix: 'Enter the password again.',
  },
  invalid_user_code: {
    reason: 'invalid',
    message: 'No device is waiting for this code. Compare it with the code on your device, or start again.',
    meaning: 'No pending device login has this user code.',
    fix: 'Type the code as the device shows it.',
  },
  invalid_client: {
    reason: 'invalid',
    message: 'The assistant is unknown here. Remove it from your assistant, and add it again.',
    meaning: 'An assistant asks for access with an unknown client ID or redirect URI.',
    fix: 'Add the service to the assistant again.',
  },
  device_login_expired: {
    reason: 'conflict',
    message: 'This login was already answered or has expired. Start it again on your device.',
    meaning: 'The device login was already answered or has expired.',
    fix: 'Start a new login on the device.',
  },
  connect_link_expired: {
    reason: 'invalid',
    message: 'This link has expired or was already used. Start again from your workspace.',
    meaning:
      'The link has expired or was revoked, or the person needed more than ten minutes for the login. Your app gets this code in the redirect.',
    fix: 'Create another link.',
  },
  connect_link_not_found: {
    reason: 'missing',
    message: 'This workspace has no connect link with this ID, or it expired.',
    meaning:
      'The workspace has no link to connect an account with this ID. Links are removed an hour after they expire.',
    fix: 'Use the `id` of the response that created the link.',
  },
  no_account_granted: {
    reason: 'invalid',
    message: 'This login grants access to no account that can receive posts.',
    meaning:
      'The person has no page, server, or channel on the platform, or granted access to none. Your app gets this code in the redirect.',
    fix: 'Ask the person to grant access to at least one, and create another link.',
  },
} as const satisfies ErrorEntries
