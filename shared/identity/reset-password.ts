import * as z from 'zod/mini'
import type { ActorByLink } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, allOf, present } from '../db/expression.ts'
import { transact } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { digest } from '../ids.ts'
import { logSecurity } from '../security-log.ts'
import { credentials } from './credential.ts'
import { nextGeneration } from './end-sessions.ts'
import { rememberNetwork } from './known-network.ts'
import { activeAccessTokens } from './list-access-tokens.ts'
import { enqueueNotice, makeNotice, storeNotice } from './notice.ts'
import { hashPassword, NewPassword } from './password.ts'
import { type PasswordReset, passwordResets } from './password-reset.ts'
import { type PersonAssistants, stillActive, tokensInEmail } from './person-assistants.ts'
import type { Origin } from './prove-password.ts'
import { revocation } from './revoke-access-token.ts'
import { assertStrongPassword } from './weak-password.ts'

export const ResetPassword = z.strictObject({
  token: described(z.string().check(z.maxLength(100)), 'The token in the link of the email.'),
  newPassword: NewPassword,
  revokeTokens: described(
    z.optional(z.boolean()),
    'Revoke all your personal access tokens and disconnect your assistants too. They stay valid by default.',
  ),
})
export type ResetPassword = z.infer<typeof ResetPassword>

const unusable = () =>
  new Refusal('invalid', 'This link is unknown, was already used, or is older than one hour. Request a new one.', {
    code: 'invalid_reset_token',
    field: 'token',
  })

/** The reset of a link that still works. */
const findReset = async (ctx: Context, token: string): Promise<PasswordReset> => {
  const reset = await passwordResets.get(ctx, { tokenHash: digest(token) })
  const over = reset === undefined || reset.usedAt !== undefined || Date.parse(reset.expiresAt) <= ctx.clock.now()
  if (over) throw unusable()
  return reset
}

/** The address of the account whose password a link would set. */
export const addressOfReset = async (ctx: Context, token: string): Promise<string> =>
  (await findReset(ctx, token)).email

/** How many writes about tokens one transaction has; a token takes two. */
const atOnce = 90

/** Whose sessions and credentials a reset ends, and who asked for it from where. */
export interface Reset {
  ip: Origin['ip']
  by: ActorByLink
  assistants: PersonAssistants
}

/**
 * Sets a new password with a link from an email, once, and ends every session of the person in the same transaction. The new
 * generation restarts the counters of wrong passwords, and the network of the reset is known from then on.
 */
export const resetPassword = async (
  ctx: Context,
  { token, newPassword, revokeTokens = false }: ResetPassword,
  { ip, by, assistants }: Reset,
): Promise<void> => {
  const { tokenHash, email, sessionGeneration } = await findReset(ctx, token)
  const credential = await credentials.get(ctx, { email })
  if (credential === undefined) throw unusable()
  assertStrongPassword(newPassword, credential, 'newPassword')
  const { userId } = credential
  const actor = by({ userId })
  const endAssistants = async () => {
    if (revokeTokens) await assistants.end(ctx, userId, actor)
  }
  const [passwordHash, tokens, active] = await Promise.all([
    hashPassword(newPassword),
    activeAccessTokens(ctx, userId),
    stillActive(ctx, userId, revokeTokens ? { ...assistants, list: async () => [] } : assistants),
    endAssistants(),
  ])
  const revoked = revokeTokens ? tokens.flatMap((accessToken) => revocation(ctx, accessToken, actor)) : []
  const facts = { ...active, ...(revokeTokens ? {} : { tokens: tokensInEmail(tokens) }) }
  const notice = makeNotice(ctx, userId, 'password-reset', { facts })
  const spend = {
    update: passwordResets.key({ tokenHash }),
    change: { set: { usedAt: new Date(ctx.clock.now()).toISOString() } },
    when: allOf(present('PK'), absent('usedAt')),
  }
  // Tokens that do not fit into the last transaction are revoked before it, so that none is left when the reset is
  // done.
  for (let from = atOnce; from < revoked.length; from += atOnce) {
    await transact(ctx, () => revoked.slice(from, from + atOnce))
  }
  const writes = [
    spend,
    ...nextGeneration({ ...credential, sessionGeneration }, { set: { passwordHash } }),
    rememberNetwork(ctx, email, ip),
    storeNotice(notice),
    ...revoked.slice(0, atOnce),
  ]
  await currentOrThrow(
    transact(ctx, () => writes),
    unusable,
  )
  // Including those that a session allowed in the meantime: all sessions have ended now.
  await endAssistants()
  logSecurity(ctx, 'authn_password_reset', {
    userId,
    tokensRevoked: revokeTokens ? tokens.length : 0,
  })
  await enqueueNotice(ctx, notice)
}
