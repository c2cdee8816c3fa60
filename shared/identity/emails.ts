import type { EmailMessage } from '../aws/email.ts'

// No email repeats text that the sender of the request typed: an attacker could use it to send any text to strangers.

/** Asks the owner of an address to confirm a sign-up. */
export const verificationEmail = (to: string, link: string): EmailMessage => ({
  to,
  subject: 'Verify your email address',
  text: `Open this link to verify your email address and finish signing up:

${link}

The link works once and expires in 24 hours. If you did not sign up, ignore this email. We will not create an account.
`,
})

/** Tells the owner of an account that its address was used for another sign-up. */
export const addressTakenEmail = (to: string): EmailMessage => ({
  to,
  subject: 'You already have an account',
  text: `Someone tried to sign up with this email address, but you already have an account. Sign in with your password. If you
forgot it, reset it on the sign-in page.

If this was not you, ignore this email. Your account has not changed.
`,
})

/** Tells a person who requested another link that there is none to send. */
export const signUpAgainEmail = (to: string): EmailMessage => ({
  to,
  subject: 'Sign up again to verify your email address',
  text: `Someone asked us to resend the link that verifies this email address, but we could not confirm that a recent sign-up
is yours. Sign up again, then open the link in our next email.

If you did not request this, ignore this email.
`,
})

/** Sends the owner of an account to the page where they choose a new password. */
export const resetEmail = (to: string, link: string): EmailMessage => ({
  to,
  subject: 'Reset your password',
  text: `Open this link to choose a new password:

${link}

The link works once and expires in one hour. A new password signs you out everywhere. If you did not request this,
ignore this email. Your password has not changed.
`,
})

/** Tells a person who requested a new password that their address has no account. */
export const noAccountEmail = (to: string): EmailMessage => ({
  to,
  subject: 'No account uses this email address',
  text: `Someone requested a password reset for this email address, but no account uses it. You may have signed up with another
address, or not verified this one yet.

If you did not request this, ignore this email.
`,
})

/** Tells a person that their account was deleted. */
export const accountDeletedEmail = (to: string): EmailMessage => ({
  to,
  subject: 'Your account was deleted',
  text: `We deleted your account, as requested with your password. No one can sign in to it. We are removing your sessions,
tokens, devices, memberships, and the workspaces that only you were in. This takes about an hour.

If you did not request this, someone knows your password. Change it wherever else you use it.
`,
})
