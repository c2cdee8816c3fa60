import { sendEmail } from '../aws/email.ts'
import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import { put } from '../db/table.ts'
import { digest, random62 } from '../ids.ts'
import { mayEmail } from '../quotas/emails.ts'
import { hourMs } from '../time.ts'
import { type Credential, credentials } from './credential.ts'
import { addressTakenEmail, signUpAgainEmail, verificationEmail } from './emails.ts'
import type { ToAddress } from './request-password-reset.ts'
import { verificationHours, verificationLink, verifications } from './verification.ts'

/**
 * Only a sign-up that is alone with its address may have its link sent again: of several, one may be a stranger's
 * with a password of theirs, and whose it was nobody can tell any more.
 */
const waits = (credential: Credential | undefined): credential is Credential =>
  credential !== undefined && !credential.verified && credential.signUps === 1

const letterFor = (email: string, credential: Credential | undefined, link: string) => {
  if (credential?.verified) return addressTakenEmail(email)
  return waits(credential) ? verificationEmail(email, link) : signUpAgainEmail(email)
}

/** Mails a new link to finish a sign-up; the caller never learns whether one waits. */
export const resendVerification = async (ctx: Context, { email }: ToAddress): Promise<void> => {
  if (!(await mayEmail(ctx, 'verificationMails', email))) return
  const credential = await credentials.get(ctx, { email })
  const sentToken = random62(43)
  const expiresAt = new Date(ctx.clock.now() + verificationHours * hourMs).toISOString()
  // Without a sign-up the row is there for its time alone: nobody ever gets its token.
  const { userId, name, passwordHash } = waits(credential) ? credential : { userId: '', name: '', passwordHash: '' }
  const row = { tokenHash: digest(sentToken), userId, email, name, passwordHash, expiresAt }
  await put(ctx, verifications.item(row), absent('PK'))
  await sendEmail(ctx, letterFor(email, credential, verificationLink(ctx, sentToken)))
}
