import { type EmailMessage, sendEmail } from '../aws/email.ts'
import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import { put, transact } from '../db/table.ts'
import { digest, random62 } from '../ids.ts'
import { hourMs } from '../time.ts'
import { claimEmail, releaseEmail } from './email-lease.ts'
import {
  accountDeletedEmail,
  addressTakenEmail,
  noAccountEmail,
  resetEmail,
  signUpAgainEmail,
  verificationEmail,
} from './emails.ts'
import { createReset, passwordResets } from './password-reset.ts'
import { type UnsentEmail, type UnsentEmailMessage, unsentEmails } from './unsent-email.ts'
import { verificationHours, verificationLink, verifications } from './verification.ts'

const inHours = (ctx: Context, hours: number) => new Date(ctx.clock.now() + hours * hourMs).toISOString()

/** The email with a new link to the same sign-up; undefined if that is over. */
const verificationAgain = async (ctx: Context, { to, tokenHash, returnTo }: UnsentEmail) => {
  const pending = await verifications.get(ctx, { tokenHash })
  if (pending === undefined || pending.usedAt !== undefined) return undefined
  const token = random62(43)
  const again = { ...pending, tokenHash: digest(token), expiresAt: inHours(ctx, verificationHours) }
  await put(ctx, verifications.item(again), absent('PK'))
  return verificationEmail(to, verificationLink(ctx, token, returnTo))
}

/** The email with a new link to the same password reset; undefined if that is over. */
const resetAgain = async (ctx: Context, { to, tokenHash }: UnsentEmail) => {
  const reset = await passwordResets.get(ctx, { tokenHash })
  if (reset === undefined || reset.usedAt !== undefined) return undefined
  return resetEmail(to, (await createReset(ctx, reset)).link)
}

const emailOf = async (ctx: Context, row: UnsentEmail): Promise<EmailMessage | undefined> => {
  switch (row.kind) {
    case 'verification':
      return verificationAgain(ctx, row)
    case 'password-reset':
      return resetAgain(ctx, row)
    case 'address-taken':
      return addressTakenEmail(row.to)
    case 'sign-up-again':
      return signUpAgainEmail(row.to)
    case 'account-deleted':
      return accountDeletedEmail(row.to)
    case 'no-account':
      return noAccountEmail(row.to)
  }
}

/** Retries an email that SES rejected, and removes its row. If SES rejects it again, the sweeper retries it later. */
export const retryEmail = async (ctx: Context, { emailId: id }: UnsentEmailMessage): Promise<void> => {
  const row = await claimEmail(ctx, unsentEmails, { id })
  if (row === undefined) return
  const email = ctx.clock.now() < row.untilMs ? await emailOf(ctx, row) : undefined
  if (email !== undefined) {
    try {
      await sendEmail(ctx, email)
    } catch {
      // It is logged and counted where it failed.
      await releaseEmail(ctx, unsentEmails, row)
      return
    }
  }
  await transact(ctx, () => [{ delete: unsentEmails.key(row) }])
}
