import type { Context } from '../../../shared/context.ts'
import { wasCurrent } from '../../../shared/db/condition-failed.ts'
import { absent } from '../../../shared/db/expression.ts'
import { transact } from '../../../shared/db/table.ts'
import { addressIsFree, credentials } from '../../../shared/identity/credential.ts'
import { decoyHash } from '../../../shared/identity/password.ts'
import { createReset } from '../../../shared/identity/password-reset.ts'
import { users } from '../../../shared/identity/user.ts'
import { random62 } from '../../../shared/ids.ts'

/** Creates the owner's account, with a password that no one knows; nothing happens if the address has an account. */
const create = async (ctx: Context, email: string): Promise<void> => {
  const userId = random62(12)
  const name = 'Owner'
  const writes = [
    { put: credentials.item({ email, name, userId, passwordHash: decoyHash, verified: true }), when: addressIsFree },
    {
      put: users.item({ id: userId, email, name, createdAt: new Date(ctx.clock.now()).toISOString() }),
      when: absent('PK'),
    },
  ]
  await wasCurrent(transact(ctx, () => writes))
}

/**
 * A link by which the owner chooses a password, which works for an hour; undefined once there is a password. The account is
 * created if there is none.
 */
export const ownerLink = async (ctx: Context, address: string): Promise<string | undefined> => {
  const email = address.toLowerCase()
  if ((await credentials.get(ctx, { email })) === undefined) await create(ctx, email)
  const credential = await credentials.get(ctx, { email })
  return credential?.passwordHash === decoyHash ? (await createReset(ctx, credential)).link : undefined
}
