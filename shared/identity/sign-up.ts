import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { transact, type Write } from '../db/table.ts'
import { described } from '../http/described.ts'
import { digest, random62 } from '../ids.ts'
import { mayEmail } from '../quotas/emails.ts'
import { hashedEmail, logSecurity } from '../security-log.ts'
import { hourMs } from '../time.ts'
import { addressIsFree, credentials } from './credential.ts'
import { Email } from './email.ts'
import { addressTakenEmail, verificationEmail } from './emails.ts'
import { Name } from './name.ts'
import { hashPassword, NewPassword } from './password.ts'
import { sendOrRetry } from './unsent-email.ts'
import { verificationHours, verificationLink, verifications } from './verification.ts'
import { assertStrongPassword } from './weak-password.ts'

export const SignUp = z.strictObject({
  email: described(Email, 'Your email address. A link is sent to it.'),
  password: NewPassword,
  name: described(Name, 'Your name, 1 to 80 characters.'),
})
export type SignUp = z.infer<typeof SignUp>

const userIdLength = 12

/**
 * Stores a sign-up until its link is opened. If the address is taken, its owner gets an email; the response does not
 * reveal it.
 * `returnTo` is one of our own pages, already checked: the page to show after verification.
 */
export const signUp = async (ctx: Context, { email, password, name }: SignUp, returnTo?: string): Promise<void> => {
  assertStrongPassword(password, { email, name }, 'password')
  const sentToken = random62(43)
  const tokenHash = digest(sentToken)
  const expiresAt = new Date(ctx.clock.now() + verificationHours * hourMs).toISOString()
  const account = { email, name, userId: random62(userIdLength), passwordHash: await hashPassword(password) }
  const writes: Write[] = [
    {
      update: credentials.key({ email }),
      change: {
        set: { ...account, verified: false, ttl: Math.ceil(Date.parse(expiresAt) / 1000), type: 'Credential' },
        add: { signUps: 1 },
      },
      when: addressIsFree,
    },
    { put: verifications.item({ ...account, tokenHash, expiresAt }) },
  ]
  const link = verificationLink(ctx, sentToken, returnTo)
  const isFree = await wasCurrent(transact(ctx, () => writes))
  logSecurity(ctx, 'user_signup_requested', { account: hashedEmail(email) })
  if (!(await mayEmail(ctx, 'verificationMails', email))) return
  const [kind, message] = isFree
    ? (['verification', verificationEmail(email, link)] as const)
    : (['address-taken', addressTakenEmail(email)] as const)
  const retry = { kind, tokenHash, untilMs: Date.parse(expiresAt), ...(returnTo === undefined ? {} : { returnTo }) }
  await sendOrRetry(ctx, message, retry)
}
