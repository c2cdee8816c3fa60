import type { Context } from '../../context.ts'
import { batchGet, get } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type Member, members } from '../../workspaces/member.ts'
import { slugKey } from '../../workspaces/slug.ts'
import { type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { type BillingAccount, billingAccounts } from '../account.ts'

/** A workspace as one of its members comes to its billing page. */
export interface Place {
  workspace: Workspace
  member: Member
  account: BillingAccount | undefined
}

/** The workspace with a slug, if the person is an active member of it. */
export const findPlace = async (ctx: Context, slug: string, userId: string): Promise<Place | undefined> => {
  const named = await get(ctx, slugKey(slug))
  if (named === undefined) return undefined
  const workspaceId = String(named['workspaceId'])
  const found = await batchGet(ctx, [
    workspaces.key({ id: workspaceId }),
    members.key({ workspaceId, userId }),
    billingAccounts.key({ workspaceId }),
  ])
  const workspace = workspaces.from(found, { id: workspaceId })
  const member = members.from(found, { workspaceId, userId })
  if (workspace === undefined || member?.status !== 'active') return undefined
  return { workspace, member, account: billingAccounts.from(found, { workspaceId }) }
}

/** Whether somebody may see and change what a workspace pays. */
export const mayBill = ({ role }: Member): boolean => role !== 'member'

/** The same for a person who changes something; throws 403 otherwise. */
export const findOwnPlace = async (ctx: Context, slug: string, userId: string): Promise<Place> => {
  const place = await findPlace(ctx, slug, userId)
  if (place === undefined) {
    throw new Refusal('forbidden', 'You are not a member of this workspace.', { code: 'not_a_member' })
  }
  if (mayBill(place.member)) return place
  throw new Refusal('forbidden', 'Only owners and admins of the workspace can do this.', { code: 'insufficient_role' })
}
