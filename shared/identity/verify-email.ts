import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, allOf, present } from '../db/expression.ts'
import { transact } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest } from '../ids.ts'
import { logSecurity } from '../security-log.ts'
import { addressIsFree, credentials } from './credential.ts'
import { users } from './user.ts'
import { verifications } from './verification.ts'

const usedUp = () =>
  new Refusal('invalid', 'This link was already used, and the email address is verified. Sign in.', {
    code: 'email_already_verified',
  })

/** What a used link stores of the person: nothing, so that the deletion of an account leaves nothing behind. */
const nobody = { email: '', name: '', userId: '', passwordHash: '' }

/** Turns the sign-up behind a link into the account of its address, once. */
export const verifyEmail = async (ctx: Context, sentToken: string): Promise<void> => {
  const tokenHash = digest(sentToken)
  const waiting = await verifications.get(ctx, { tokenHash })
  const nowMs = ctx.clock.now()
  if (waiting === undefined || Date.parse(waiting.expiresAt) <= nowMs) {
    throw new Refusal('invalid', 'This link is unknown or older than 24 hours. Sign up again to get a new one.', {
      code: 'invalid_verification_token',
      field: 'token',
    })
  }
  if (waiting.usedAt !== undefined) throw usedUp()
  const now = new Date(nowMs).toISOString()
  const { email, name, userId, passwordHash } = waiting
  const writes = [
    {
      update: verifications.key({ tokenHash }),
      change: { set: { ...nobody, usedAt: now } },
      when: allOf(present('PK'), absent('usedAt')),
    },
    { put: credentials.item({ email, name, userId, passwordHash, verified: true }), when: addressIsFree },
    { put: users.item({ id: userId, email, name, createdAt: now }), when: absent('PK') },
  ]
  await currentOrThrow(
    transact(ctx, () => writes),
    usedUp,
  )
  logSecurity(ctx, 'user_created', { userId })
}
