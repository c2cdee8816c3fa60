import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { absent, allOf, equal, present } from '../db/expression.ts'
import { transact } from '../db/table.ts'
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
const tries = 3

/** Writes the id of the owner and its entry in the audit trail; false if another change was faster. */
const writeOwner = (
  ctx: Context,
  { workspaceId, id, integratorId }: SocialAccount,
  owner: string | undefined,
  by: Actor,
): Promise<boolean> => {
  const unchanged = integratorId === undefined ? absent('integratorId') : equal('integratorId', integratorId)
  const change = owner === undefined ? { remove: ['integratorId'] } : { set: { integratorId: owner } }
  const entry = recordAudit(ctx, by, {
    workspaceId,
    action: 'social_account.updated',
    target: { type: 'social_account', id },
    before: { externalId: integratorId ?? null },
    after: { externalId: owner ?? null },
  })
  const row = { update: socialAccounts.key({ workspaceId, id }), change, when: allOf(present('PK'), unchanged) }
  return wasCurrent(transact(ctx, () => [row, entry]))
}

/** Changes only what was sent. A change to the values that the account has writes nothing. */
export const updateAccount = async (
  ctx: Context,
  key: AccountKey,
  asRead: SocialAccount | undefined,
  { externalId }: UpdateSocialAccount,
  by: Actor,
): Promise<SocialAccount> => {
  let account = asRead
  for (let left = tries; left > 0; left -= 1) {
    if (account === undefined) {
      const text = `This workspace has no account ${key.id}.`
      throw new Refusal('missing', text, { code: 'account_not_found', field: 'id' })
    }
    const owner = externalId === undefined ? account.integratorId : (externalId ?? undefined)
    if (owner === account.integratorId) return account
    if (await writeOwner(ctx, account, owner, by)) return { ...account, integratorId: owner }
    account = await socialAccounts.get(ctx, key)
  }
  throw new Refusal('conflict', 'The account is being changed. Try again.', { code: 'concurrent_update' })
}
