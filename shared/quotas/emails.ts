import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest } from '../ids.ts'
import { countQuota } from './count.ts'

export type EmailQuota = 'invitationMails' | 'verificationMails' | 'passwordResetMails'

/** Counts a mail to an address; throws 429 where it has received enough. Rows hold a hash of the address. */
export const countEmail = (ctx: Context, quota: EmailQuota, email: string): Promise<void> =>
  countQuota(ctx, undefined, quota, digest(email).slice(0, 22))

/** The same for a route that must not show whether a mail was sent: false where none may be. */
export const mayEmail = async (ctx: Context, quota: EmailQuota, email: string): Promise<boolean> => {
  try {
    await countEmail(ctx, quota, email)
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.log.warn('a mail was not sent: its recipient has received enough', { quota })
    return false
  }
}
