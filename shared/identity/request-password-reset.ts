import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { described } from '../http/described.ts'
import { mayEmail } from '../quotas/emails.ts'
import { hashedEmail, logSecurity } from '../security-log.ts'
import { credentials } from './credential.ts'
import { Email } from './email.ts'
import { noAccountEmail, resetEmail } from './emails.ts'
import { createReset } from './password-reset.ts'
import { sendOrRetry } from './unsent-email.ts'

/** A body with only an address. */
export const ToAddress = z.strictObject({ email: described(Email, 'The email address to send the link to.') })
export type ToAddress = z.infer<typeof ToAddress>

/**
 * Emails the owner of an account a link to choose a new password. An unknown address goes through the same steps: its row
 * can never be used, and its email says that there is no account.
 */
export const requestPasswordReset = async (ctx: Context, { email }: ToAddress): Promise<void> => {
  if (!(await mayEmail(ctx, 'passwordResetMails', email))) return
  const credential = await credentials.get(ctx, { email })
  const { link, tokenHash, untilMs } = await createReset(ctx, {
    email,
    sessionGeneration: credential?.sessionGeneration,
  })
  logSecurity(ctx, 'authn_password_reset_requested', { account: hashedEmail(email), userId: credential?.userId })
  const [kind, message] = credential?.verified
    ? (['password-reset', resetEmail(email, link)] as const)
    : (['no-account', noAccountEmail(email)] as const)
  await sendOrRetry(ctx, message, { kind, tokenHash, untilMs })
}
