import type { EmailMessage } from '../aws/email.ts'

// No letter repeats what the sender of the request typed: it could be used to send strangers any text.

/** Asks the owner of an address to confirm a sign-up. */
export const verificationEmail = (to: string, link: string): EmailMessage => ({
  to,
  subject: 'Verify your e-mail address',
  text: `Open this link to verify your e-mail address and finish signing up:

${link}

The link works once, for 24 hours. If you did not sign up, do not open it; nothing else will happen.
`,
})

/** Tells the owner of an account that somebody signed up with its address once more. */
export const addressTakenEmail = (to: string): EmailMessage => ({
  to,
  subject: 'You already have an account',
  text: `Somebody tried to sign up with this e-mail address. It has an account already: sign in with its password.
If you have forgotten it, ask for a new one on the page where you sign in.

If it was not you, there is nothing to do; your account is unchanged.
`,
})

/** Tells whoever asked for a link once more that there is none to send. */
export const signUpAgainEmail = (to: string): EmailMessage => ({
  to,
  subject: 'Please sign up once more',
  text: `Somebody asked us to send the link that verifies this e-mail address again. No sign-up waits for it that we can
be sure is yours: please sign up once more, and open the link in the mail that follows.

If you did not ask for this, there is nothing to do.
`,
})

/** Leads the owner of an account to the page where they choose a new password. */
export const resetEmail = (to: string, link: string): EmailMessage => ({
  to,
  subject: 'Choose a new password',
  text: `Open this link to choose a new password:

${link}

The link works once, for one hour. You will be signed out everywhere. If you did not ask for it, do not open it;
your password is unchanged.
`,
})

/** Tells somebody who asked for a new password that their address has no account. */
export const noAccountEmail = (to: string): EmailMessage => ({
  to,
  subject: 'There is no account with this address',
  text: `Somebody asked for a new password for this e-mail address. It has no account with us: perhaps you signed up with
another address, or have not verified this one yet.

If you did not ask for this, there is nothing to do.
`,
})
