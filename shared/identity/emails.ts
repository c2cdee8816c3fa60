import type { EmailMessage } from '../aws/email.ts'

// No email repeats text that the sender of the request typed: an attacker could use it to send any text to strangers.

/** Asks the owner of an address to confirm a sign-up. */
export const verificationEmail = (to: string, link: string): EmailMessage => ({
  to,
  subject: 'Verify your email address',
  text: `Open this link to verify your email address and finish signing up:

${link}

The link works once, for 24 hours. If you did not sign up, ignore this email; no account is created.
`,
})

/** Tells the owner of an account that its address was used for another sign-up. */
export const addressTakenEmail = (to: string): EmailMessage => ({
  to,
  subject: 'You already have an account',
  text: `Someone tried to sign up with this email address, which already has an account. Sign in with its password. If you have
forgotten it, request a new one on the sign-in page.

If this was not you, you can ignore this email; your account is unchanged.
`,
})

/** Tells a person who requested another link that there is none to send. */
export const signUpAgainEmail = (to: string): EmailMessage => ({
  to,
  subject: 'Please sign up again',
  text: `Someone asked us to resend the link that verifies this email address. We have no pending sign-up for it that we can be
sure is yours. Please sign up again, and open the link in the email that follows.

If you did not request this, you can ignore this email.
`,
})

/** Sends the owner of an account to the page where they choose a new password. */
export const resetEmail = (to: string, link: string): EmailMessage => ({
  to,
  subject: 'Choose a new password',
  text: `Open this link to choose a new password:

${link}

The link works once, for one hour. The new password signs you out everywhere. If you did not request this, ignore this
email; your password is unchanged.
`,
})

/** Tells a person who requested a new password that their address has no account. */
export const noAccountEmail = (to: string): EmailMessage => ({
  to,
  subject: 'There is no account with this address',
  text: `Someone requested a new password for this email address. The address has no account with us: perhaps you signed up with
another address, or have not verified this one yet.

If you did not request this, you can ignore this email.
`,
})

/** Tells a person that their account was deleted. */
export const accountDeletedEmail = (to: string): EmailMessage => ({
  to,
  subject: 'Your account was deleted',
  text: `Your account was deleted, as requested with its password. Nobody can sign in to it. Your sessions, tokens, devices, and
memberships, and the workspaces that only you were in, are being removed; the last of them within about an hour.

If you did not request this, someone knew your password: change it wherever else you use it.
`,
})
