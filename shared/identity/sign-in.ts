import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { equal } from '../db/expression.ts'
import { ConditionFailed, update } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { type Credential, credentials } from './credential.ts'
import { Email } from './email.ts'
import { openSession } from './open-session.ts'
import { checkPassword, decoyHash, hashPassword, isOutdated } from './password.ts'
import type { Session } from './session.ts'

export const SignIn = z.strictObject({ email: Email, password: z.string().check(z.maxLength(128)) })
export type SignIn = z.infer<typeof SignIn>

const upgrade = async (ctx: Context, { email, passwordHash }: Credential, password: string) => {
  if (!isOutdated(passwordHash)) return
  const change = { set: { passwordHash: await hashPassword(password) } }
  await update(ctx, credentials.key({ email }), change, equal('passwordHash', passwordHash)).catch((error: unknown) => {
    // Another sign-in was faster.
    if (!(error instanceof ConditionFailed)) throw error
  })
}

/** A new session for the right password; an unknown address is refused with the same words after the same work. */
export const signIn = async (
  ctx: Context,
  { email, password }: SignIn,
  userAgent: string,
): Promise<{ token: string; session: Session }> => {
  const credential = await credentials.get(ctx, { email })
  const right = await checkPassword(password, credential?.passwordHash ?? decoyHash)
  if (credential === undefined || !right) {
    throw new Refusal('unauthenticated', 'The e-mail address or the password is wrong.', { code: 'wrong_credentials' })
  }
  if (!credential.verified) {
    throw new Refusal('forbidden', 'The address is not verified: open the link in our mail, or sign up once more.', {
      code: 'email_not_verified',
    })
  }
  await upgrade(ctx, credential, password)
  return openSession(ctx, { userId: credential.userId, email, name: credential.name, userAgent })
}
