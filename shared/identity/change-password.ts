import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { countProvenGuess } from '../limits/guess.ts'
import { logSecurity } from '../security-log.ts'
import { credentials } from './credential.ts'
import { endOtherSessions } from './end-sessions.ts'
import { enqueueNotice, makeNotice, storeNotice } from './notice.ts'
import { checkPassword, decoyHash, hashPassword, NewPassword } from './password.ts'
import { type PersonAssistants, stillActive } from './person-assistants.ts'
import type { Session } from './session.ts'
import { assertStrongPassword } from './weak-password.ts'

export const ChangePassword = z.strictObject({
  currentPassword: described(z.string().check(z.maxLength(128)), 'Your present password.'),
  newPassword: NewPassword,
})
export type ChangePassword = z.infer<typeof ChangePassword>

/**
 * Sets a new password for a person who knows the current one, and ends all their other sessions in the same transaction.
 * Decided: personal access tokens and assistants stay, because machines hold them; each can be ended separately, and the
 * email names the assistants, and the tokens of the person's applications.
 */
export const changePassword = async (
  ctx: Context,
  session: Session,
  { currentPassword, newPassword }: ChangePassword,
  assistants: Pick<PersonAssistants, 'list' | 'applicationTokens'>,
): Promise<void> => {
  const { email, generation } = session
  assertStrongPassword(newPassword, session, 'newPassword')
  const counted = countProvenGuess(ctx, { email, generation }, 'SESSION')
  const [credential, active] = await Promise.all([
    credentials.get(ctx, { email }),
    stillActive(ctx, session.userId, assistants),
    counted,
  ])
  const right = await checkPassword(currentPassword, credential?.passwordHash ?? decoyHash)
  if (credential === undefined || !right) {
    throw new Refusal('forbidden', 'The current password is wrong.', {
      code: 'incorrect_password',
      field: 'currentPassword',
    })
  }
  const notice = makeNotice(ctx, session.userId, 'password-changed', { facts: active })
  const set = { passwordHash: await hashPassword(newPassword) }
  await endOtherSessions(ctx, session, credential, { set, beside: [storeNotice(notice)] })
  logSecurity(ctx, 'authn_password_change')
  await enqueueNotice(ctx, notice)
}
