import * as z from 'zod/mini'
import { enqueueOrSweep } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { entity } from '../../db/entity.ts'

/** The work of removing the data of a deleted account. Its row is in the person's partition until the work is done. */
export const AccountDeletion = z.object({
  /** The person's id. */
  id: z.string(),
  email: z.string(),
  requestedAtMs: z.number(),
})
export type AccountDeletion = z.infer<typeof AccountDeletion>

export const accountDeletions = entity({
  type: 'AccountDeletion',
  shape: AccountDeletion,
  key: ({ id }: Pick<AccountDeletion, 'id'>) => ({ PK: `USER#${id}`, SK: 'DELETION' }),
})

/** The message to remove the remains of a deleted account. */
export const AccountPurge = z.object({ userId: z.string() })
export type AccountPurge = z.infer<typeof AccountPurge>

export const enqueueAccountPurge = (ctx: Context, userId: string): Promise<void> => {
  const body: AccountPurge = { userId }
  return enqueueOrSweep(ctx, 'purge', { body, group: userId })
}
