import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { absent, allOf, equal, present } from '../db/expression.ts'
import { type Retries, retryOnConflict } from '../db/retry-on-conflict.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { OwnerId } from './owner-id.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

/** The fields of an account that can change. */
export const UpdateSocialAccount = z
  .strictObject({
    externalId: z.optional(
      described(
        z.nullable(OwnerId),
        'The id of the owner in your own system, 1 to 200 characters. It need not be unique. Null removes it.',
      ),
    ),
  })
  .register(z.globalRegistry, {
    id: 'UpdateSocialAccountRequest',
    description: 'What changes in an account. Omitted fields keep their values.',
  })
type UpdateSocialAccount = z.infer<typeof UpdateSocialAccount>

type AccountKey = Pick<SocialAccount, 'workspaceId' | 'id'>

/** Another change may come first, each at most a few times. */
const updateRetries: Retries = {
  tries: 3,
  refusal: () => new Refusal('conflict', 'The account is being changed. Try again.', { code: 'concurrent_update' }),
}

/** Writes the id of the owner, if no other change was faster. */
const writeOwner = (
  ctx: Context,
  { workspaceId, id, integratorId }: SocialAccount,
  owner: string | undefined,
  by: Actor,
): Promise<void> => {
  const unchanged = integratorId === undefined ? absent('integratorId') : equal('integratorId', integratorId)
  const change = owner === undefined ? { remove: ['integratorId'] } : { set: { integratorId: owner } }
  const row = { update: socialAccounts.key({ workspaceId, id }), change, when: allOf(present('PK'), unchanged) }
  const audit = {
    by,
    action: 'social_account.updated',
    target: { type: 'social_account', id },
    before: { externalId: integratorId ?? null },
    after: { externalId: owner ?? null },
  } as const
  return commit(ctx, { id: workspaceId }, { writes: [row], audit })
}

/** An account as read, and what changes in it. */
interface AccountUpdate {
  asRead: SocialAccount | undefined
  change: UpdateSocialAccount
}

/** Changes only the fields that were sent. A change to the current values writes nothing. */
export const updateAccount = (
  ctx: Context,
  key: AccountKey,
  { asRead, change: { externalId } }: AccountUpdate,
  by: Actor,
): Promise<SocialAccount> =>
  retryOnConflict(updateRetries, async (isFirst) => {
    const account = isFirst ? asRead : await socialAccounts.get(ctx, key)
    if (account === undefined) {
      const text = `This workspace has no account ${key.id}.`
      throw new Refusal('missing', text, { code: 'account_not_found', field: 'id' })
    }
    const owner = externalId === undefined ? account.integratorId : (externalId ?? undefined)
    if (owner === account.integratorId) return account
    await writeOwner(ctx, account, owner, by)
    return { ...account, integratorId: owner }
  })
