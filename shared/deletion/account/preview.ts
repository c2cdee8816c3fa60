import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { batchGet, queryAll } from '../../db/table.ts'
import { described } from '../../http/described.ts'
import { hasPendingLiveDeletion } from '../../posts/live-work/pending.ts'
import { readTeam } from '../../workspaces/list-members.ts'
import type { Subscription } from '../../workspaces/subscription.ts'
import { type Member, members, membershipKey, type Workspace, workspaces } from '../../workspaces/workspace.ts'

/** What blocks a deletion. */
export const blockerCodes = [
  'workspace_has_members',
  'subscription_running',
  'live_deletions_pending',
  'too_many_workspaces',
] as const

/** Decided: an account that owns more workspaces can be deleted only after some of them: one transaction ends them all. */
export const maxDeletedWorkspaces = 25

/** A membership with its workspace. */
export interface Membership {
  workspace: Workspace
  member: Member
}

/** The workspaces of a person, also those that suspended them. */
export const readMemberships = async (ctx: Context, userId: string): Promise<Membership[]> => {
  const { PK, SK } = membershipKey(userId, '')
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  const ids = rows.map((row) => String(row['SK']).slice(SK.length))
  const fetched = await batchGet(
    ctx,
    ids.flatMap((id) => [workspaces.key({ id }), members.key({ workspaceId: id, userId })]),
  )
  return ids.flatMap((id) => {
    const workspace = workspaces.from(fetched, { id })
    const member = members.from(fetched, { workspaceId: id, userId })
    return workspace && member ? [{ workspace, member }] : []
  })
}

/** Whether the billing provider continues to charge for a workspace. A plan that an operator has set has no period. */
const isCharged = ({ status, currentPeriodEnd, cancelAtPeriodEnd }: Subscription): boolean =>
  !['canceled', 'incomplete_expired', 'inactive'].includes(status) &&
  typeof currentPeriodEnd === 'string' &&
  cancelAtPeriodEnd !== true

const WorkspaceName = z.object({
  id: described(z.string(), 'The ID of the workspace, `ws_…`.'),
  name: described(z.string(), 'The name of the workspace.'),
  slug: described(z.string(), 'The slug of the workspace.'),
})

const Blocker = z.object({
  code: described(
    z.enum(blockerCodes),
    '`workspace_has_members`: transfer the ownership, or delete the workspace. `subscription_running`: cancel the subscription. `live_deletions_pending`: platforms are being asked to delete live posts; wait for them, for a day at most. `too_many_workspaces`: delete some first.',
  ),
  workspace: described(z.nullable(WorkspaceName), 'The workspace that blocks the deletion; null if none does.'),
  message: described(z.string(), 'What blocks the deletion, as a sentence for people.'),
})

/** The effect of a deletion, and what blocks it. */
export const AccountDeletionPreview = z
  .object({
    canDelete: described(z.boolean(), 'Whether nothing blocks the deletion.'),
    blockers: described(z.array(Blocker), 'What must be resolved first. Empty if the account can be deleted.'),
    workspacesToDelete: described(
      z.array(WorkspaceName),
      'Workspaces without another member. They are deleted with the account if the request names them.',
    ),
    workspacesToLeave: described(
      z.array(WorkspaceName),
      'Workspaces of others. Shared content stays in them; private memory collections of yours do not.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'AccountDeletionPreview',
    description: 'What the deletion of your account would do.',
  })
export type AccountDeletionPreview = z.infer<typeof AccountDeletionPreview>

const nameOf = ({ workspace: { id, name, slug } }: Membership) => ({ id, name, slug })

const blockersOf = (
  { workspace }: Membership,
  { others, isDeleting }: { others: number; isDeleting: boolean },
): AccountDeletionPreview['blockers'] => {
  const { slug, subscription } = workspace
  const named = nameOf({ workspace } as Membership)
  const people = others === 1 ? '1 other member' : `${others} other members`
  return [
    ...(others > 0
      ? [
          {
            code: 'workspace_has_members' as const,
            workspace: named,
            message: `You own "${slug}", which has ${people}. Transfer the ownership, or delete the workspace.`,
          },
        ]
      : []),
    ...(isCharged(subscription)
      ? [
          {
            code: 'subscription_running' as const,
            workspace: named,
            message: `The subscription of "${slug}" is running. Cancel it first.`,
          },
        ]
      : []),
    ...(isDeleting
      ? [
          {
            code: 'live_deletions_pending' as const,
            workspace: named,
            message: `Platforms are being asked to delete live posts of "${slug}". Try again when they have answered.`,
          },
        ]
      : []),
  ]
}

/** The effect of the deletion of an account, and the workspaces that it would delete, as read. */
export const planDeletion = async (
  ctx: Context,
  userId: string,
): Promise<{ preview: AccountDeletionPreview; alone: Membership[] }> => {
  const memberships = await readMemberships(ctx, userId)
  const owned = memberships.filter(({ member }) => member.role === 'owner')
  const [teams, deleting] = await Promise.all([
    Promise.all(owned.map(({ workspace }) => readTeam(ctx, workspace.id))),
    Promise.all(owned.map(({ workspace }) => hasPendingLiveDeletion(ctx, workspace.id))),
  ])
  const others = teams.map((team) => team.filter((member) => member.userId !== userId).length)
  const alone = owned.filter((_, n) => others[n] === 0)
  const tooMany = {
    code: 'too_many_workspaces' as const,
    workspace: null,
    message: `You own ${alone.length} workspaces without other members. Delete some of them until ${maxDeletedWorkspaces} are left.`,
  }
  const blockers = [
    ...owned.flatMap((membership, n) =>
      blockersOf(membership, { others: others[n] ?? 0, isDeleting: deleting[n] === true }),
    ),
    ...(alone.length > maxDeletedWorkspaces ? [tooMany] : []),
  ]
  const preview = {
    canDelete: blockers.length === 0,
    blockers,
    workspacesToDelete: alone.map(nameOf),
    workspacesToLeave: memberships.filter(({ member }) => member.role !== 'owner').map(nameOf),
  }
  return { preview, alone }
}
