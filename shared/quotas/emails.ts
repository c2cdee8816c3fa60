import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest } from '../ids.ts'
import { countQuota } from './count.ts'

export type EmailQuota = 'invitationMails' | 'verificationMails' | 'passwordResetMails'

/** Counts an email to an address; throws 429 if the address has reached its limit. Rows store a hash of the address. */
export const countEmail = (ctx: Context, quota: EmailQuota, email: string): Promise<void> =>
  countQuota(ctx, undefined, quota, { subject: digest(email).slice(0, 22) })

/** The same for a route that must not reveal whether an email was sent: returns false at the limit. */
export const mayEmail = async (ctx: Context, quota: EmailQuota, email: string): Promise<boolean> => {
  try {
    await countEmail(ctx, quota, email)
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.log.warn('an email was not sent: its recipient has reached the limit', { quota })
    return false
  }
}
