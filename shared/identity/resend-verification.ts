import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import { put } from '../db/table.ts'
import { digest, random62 } from '../ids.ts'
import { mayEmail } from '../quotas/emails.ts'
import { hourMs } from '../time.ts'
import { type Credential, credentials } from './credential.ts'
import { addressTakenEmail, signUpAgainEmail, verificationEmail } from './emails.ts'
import type { ToAddress } from './request-password-reset.ts'
import { sendOrRetry } from './unsent-email.ts'
import { verificationHours, verificationLink, verifications } from './verification.ts'

/**
 * The link is sent again only if one sign-up is pending for the address. If there are several, one may be a stranger's with
 * their password, and the service cannot tell them apart.
 */
const waits = (credential: Credential | undefined): credential is Credential =>
  credential !== undefined && !credential.verified && credential.signUps === 1

const emailFor = (email: string, credential: Credential | undefined, link: string) => {
  if (credential?.verified) return ['address-taken', addressTakenEmail(email)] as const
  return waits(credential)
    ? (['verification', verificationEmail(email, link)] as const)
    : (['sign-up-again', signUpAgainEmail(email)] as const)
}

/** Emails a new link to finish a sign-up; the response does not reveal whether a sign-up is pending. */
export const resendVerification = async (ctx: Context, { email }: ToAddress): Promise<void> => {
  if (!(await mayEmail(ctx, 'verificationMails', email))) return
  const credential = await credentials.get(ctx, { email })
  const sentToken = random62(43)
  const expiresAt = new Date(ctx.clock.now() + verificationHours * hourMs).toISOString()
  // Without a sign-up, the row exists only so that both cases take the same time: its token is never sent.
  const { userId, name, passwordHash } = waits(credential) ? credential : { userId: '', name: '', passwordHash: '' }
  const row = { tokenHash: digest(sentToken), userId, email, name, passwordHash, expiresAt }
  await put(ctx, verifications.item(row), absent('PK'))
  const [kind, message] = emailFor(email, credential, verificationLink(ctx, sentToken))
  await sendOrRetry(ctx, message, { kind, tokenHash: row.tokenHash, untilMs: Date.parse(expiresAt) })
}
