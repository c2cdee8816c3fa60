import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { absent, allOf, present } from '../db/expression.ts'
import { transact } from '../db/table.ts'
import { digest } from '../ids.ts'
import { stripeCustomers } from '../plans/stripe-customer.ts'
import { noLongerMember } from '../workspaces/update.ts'
import { type Workspace, workspaces } from '../workspaces/workspace.ts'
import { type BillingAccount, billingAccounts } from './account.ts'
import { stripeOf } from './stripe/client.ts'
import { orRefuse } from './stripe/refuse.ts'

/**
 * The key of a call that creates something at Stripe. It is derived from the parameters, so that a retry finds the result of
 * the first call; the version of the account makes the key of the next request different.
 */
export const stripeKey = (step: string, workspaceId: string, version: number, params: object) => ({
  idempotencyKey: `${step}-${workspaceId}-${version}-${digest(JSON.stringify(params)).slice(0, 22)}`,
})

const createCustomer = (ctx: Context, { id: workspaceId, name }: Workspace, email: string): Promise<string> =>
  orRefuse(ctx, async () => {
    const stripe = await stripeOf(ctx)
    const params = { name, email, metadata: { workspaceId } }
    return (await stripe.customers.create(params, stripeKey('customer', workspaceId, 0, params))).id
  })

/**
 * The account of a workspace at Stripe, created if there is none. The customer is stored before anything can be bought for
 * it, so that no subscription exists that the service does not know.
 */
export const linkCustomer = async (
  ctx: Context,
  workspace: Workspace,
  known: BillingAccount | undefined,
  email: string,
): Promise<BillingAccount> => {
  if (known !== undefined) return known
  const { id: workspaceId } = workspace
  const customerId = await createCustomer(ctx, workspace, email)
  const account: BillingAccount = {
    id: workspaceId,
    workspaceId,
    customerId,
    version: 1,
    hadSubscription: false,
    eventCount: 0,
  }
  const change = { set: { billingCustomerId: customerId } }
  const when = allOf(present('PK'), absent('billingCustomerId'))
  const isFirst = await wasCurrent(
    transact(ctx, () => [
      { put: billingAccounts.item(account), when: absent('PK') },
      { put: stripeCustomers.item({ id: customerId, workspaceId }) },
      { update: workspaces.key(workspace), change, when },
    ]),
  )
  if (isFirst) return account
  const other = await billingAccounts.get(ctx, { workspaceId })
  // Another request was first, or the workspace was deleted.
  if (other === undefined) throw noLongerMember()
  return other
}
