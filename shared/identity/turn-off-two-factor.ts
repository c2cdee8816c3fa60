import type { Context } from '../context.ts'
import { transact } from '../db/table.ts'
import { logSecurity } from '../security-log.ts'
import { turnOff } from './change-two-factor.ts'
import { enqueueNotice, makeNotice, storeNotice } from './notice.ts'
import { assertActive, twoFactors } from './two-factor.ts'

/** Turns off the second factor of a person who has lost their app and their recovery codes; for operators. */
export const turnOffTwoFactor = async (ctx: Context, email: string): Promise<void> => {
  const factor = assertActive(await twoFactors.get(ctx, { email }))
  const notice = makeNotice(ctx, factor.userId, 'two-factor-off', { by: 'operator' })
  await transact(ctx, () => [...turnOff(factor), storeNotice(notice)])
  logSecurity(ctx, 'authn_two_factor_off', { userId: factor.userId, by: 'operator' })
  await enqueueNotice(ctx, notice)
}
