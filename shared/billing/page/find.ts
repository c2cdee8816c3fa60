import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { batchGet, get } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { planIds } from '../../plans/plans.ts'
import { slugKey } from '../../workspaces/slug.ts'
import { type Member, members, type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { type BillingAccount, billingAccounts } from '../account.ts'

const slug = z.string().check(z.maxLength(100))

/** The slug of the workspace, and the result of the last action. */
export const BillingQuery = z.object({
  workspace: z.optional(slug),
  checkout: z.optional(z.enum(['done', 'cancelled'])),
  done: z.optional(z.enum(['changed', 'cancelled', 'resumed'])),
})
export type BillingQuery = z.infer<typeof BillingQuery>

/** The actions of a person on the page. */
export const BillingForm = z.object({
  form_key: z.string(),
  workspace: slug,
  action: z.enum(['checkout', 'change', 'portal', 'cancel', 'resume']),
  planId: z.optional(z.enum(planIds)),
})
export type BillingForm = z.infer<typeof BillingForm>

/** A workspace as one of its members sees it on the billing page. */
export interface BillingSubject {
  workspace: Workspace
  member: Member
  account: BillingAccount | undefined
}

/** The workspace with a slug, if the person is an active member of it. */
export const findSubject = async (ctx: Context, slug: string, userId: string): Promise<BillingSubject | undefined> => {
  const named = await get(ctx, slugKey(slug))
  if (named === undefined) return undefined
  const workspaceId = String(named['workspaceId'])
  const rows = await batchGet(ctx, [
    workspaces.key({ id: workspaceId }),
    members.key({ workspaceId, userId }),
    billingAccounts.key({ workspaceId }),
  ])
  const workspace = workspaces.from(rows, { id: workspaceId })
  const member = members.from(rows, { workspaceId, userId })
  if (workspace === undefined || member?.status !== 'active') return undefined
  return { workspace, member, account: billingAccounts.from(rows, { workspaceId }) }
}

/** Whether a person may see and change what a workspace pays. */
export const mayBill = ({ role }: Member): boolean => role !== 'member'

/** The same for a person who changes something; throws 403 otherwise. */
export const findOwnSubject = async (ctx: Context, slug: string, userId: string): Promise<BillingSubject> => {
  const subject = await findSubject(ctx, slug, userId)
  if (subject === undefined) {
    throw new Refusal('forbidden', 'You are not a member of this workspace.', { code: 'not_a_member' })
  }
  if (mayBill(subject.member)) return subject
  throw new Refusal('forbidden', 'Only owners and admins of the workspace can do this.', { code: 'insufficient_role' })
}
