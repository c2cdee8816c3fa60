import type { Letter } from '../aws/mail.ts'

// No letter repeats what the sender of the request typed: it could be used to send strangers any text.

/** Asks the owner of an address to confirm a sign-up. */
export const verificationLetter = (to: string, link: string): Letter => ({
  to,
  subject: 'Verify your e-mail address',
  text: `Open this link to verify your e-mail address and finish signing up:

${link}

The link works once, for 24 hours. If you did not sign up, do not open it; nothing else will happen.
`,
})

/** Tells the owner of an account that somebody signed up with its address once more. */
export const takenLetter = (to: string): Letter => ({
  to,
  subject: 'You already have an account',
  text: `Somebody tried to sign up with this e-mail address. It has an account already: sign in with its password.

If it was not you, there is nothing to do; your account is unchanged.
`,
})
