import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { enqueueOrSweep } from '../aws/queue.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { entity } from '../db/entity.ts'
import { absent, allOf, asStored, type Condition, equal, present } from '../db/expression.ts'
import { sweepAt, sweepGraceMs } from '../db/sweep-at.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { endCustomerLater } from '../plans/stripe-customer.ts'
import { logSecurity } from '../security-log.ts'
import { asRead } from './team-rights.ts'
import {
  applicationKey,
  externalIdKey,
  type Member,
  members,
  membershipKey,
  type Workspace,
  workspaces,
} from './workspace.ts'

/** The work of removing the data of a deleted workspace. Its row replaces the workspace's row until the work is done. */
export const WorkspaceDeletion = z.object({
  id: z.string(),
  workspaceId: z.string(),
  slug: z.string(),
  status: z.literal('pending'),
  requestedAtMs: z.number(),
  /** The workspace that paid for this one, if it was a child workspace. */
  payerId: z.optional(z.string()),
})
export type WorkspaceDeletion = z.infer<typeof WorkspaceDeletion>

export const deletions = entity({
  type: 'WorkspaceDeletion',
  shape: WorkspaceDeletion,
  key: ({ workspaceId }: Pick<WorkspaceDeletion, 'workspaceId'>) => ({ PK: `WS#${workspaceId}`, SK: 'DELETION' }),
})

/** The message to remove the remains of a deleted workspace. */
export const PurgeMessage = z.object({ workspaceId: z.string() })
export type PurgeMessage = z.infer<typeof PurgeMessage>

const assertConfirmation = ({ slug }: Workspace, confirm: string | undefined) => {
  if (confirm === slug) return
  const text = `A deletion cannot be undone. To confirm it, send the slug of the workspace as ?confirm=${slug}.`
  throw new Refusal('invalid', text, { code: 'confirmation_required', field: 'confirm' })
}

export const enqueuePurge = (ctx: Context, workspaceId: string) => {
  const body: PurgeMessage = { workspaceId }
  return enqueueOrSweep(ctx, 'purge', { body, group: workspaceId })
}

const changedMeanwhile = () =>
  new Refusal('conflict', 'The workspace was changed or deleted, or has another owner now.', {
    code: 'concurrent_update',
  })

/** Returns what a child workspace takes from its application: its slot, its external ID, and its share of the cap on X. */
const releaseChild = ({ id, application, xMonthlyCap = 0 }: Workspace): Write[] => {
  if (application === undefined) return []
  const { id: applicationId, workspaceId, externalId } = application
  const change = { add: { workspaceCount: -1, xCapAllotted: -xMonthlyCap } }
  return [
    { update: applicationKey(workspaceId), change, when: present('PK') },
    { delete: membershipKey(applicationId, id) },
    ...(externalId === undefined ? [] : [{ delete: externalIdKey(applicationId, externalId) }]),
  ]
}

/**
 * The writes that close a workspace, if `when` holds: the removal work item replaces its row. Its customer at
 * Stripe, as read, is deleted as well.
 */
export const closeWorkspace = (workspace: Workspace, nowMs: number, when: Condition = present('PK')): Write[] => {
  const { id, slug, billingCustomerId: customerId, application } = workspace
  const payer = application === undefined ? {} : { payerId: application.workspaceId }
  const deletion = { id, workspaceId: id, slug, status: 'pending' as const, requestedAtMs: nowMs, ...payer }
  const payerAsRead = customerId === undefined ? absent('billingCustomerId') : present('billingCustomerId')
  const childAsRead =
    workspace.application === undefined ? absent('application') : asStored('xMonthlyCap', workspace.xMonthlyCap)
  return [
    { delete: workspaces.key({ id }), when: allOf(present('PK'), payerAsRead, childAsRead, when) },
    { put: { ...deletions.item(deletion), ...sweepAt(id, nowMs + sweepGraceMs) } },
    ...(customerId === undefined ? [] : [endCustomerLater({ id: customerId, workspaceId: id }, nowMs)]),
    ...releaseChild(workspace),
  ]
}

/**
 * Deletes a workspace. Its row is removed immediately, and with it the key that decrypts its secrets: from the next call on
 * it has no members, and no worker acts for it. A worker removes the rest.
 */
export const deleteWorkspace = async (
  ctx: Context,
  workspace: Workspace,
  { owner, confirm }: { owner: Member; confirm: string | undefined },
  by: Actor,
): Promise<void> => {
  assertConfirmation(workspace, confirm)
  const { id, name, slug } = workspace
  const unit: Unit = {
    writes: [
      // The audit entry states what was deleted, with the names at that moment.
      ...closeWorkspace(workspace, ctx.clock.now(), allOf(equal('name', name), equal('slug', slug))),
      { check: members.key(owner), when: asRead(owner) },
    ],
    audit: { by, action: 'workspace.deleted', target: { type: 'workspace', id }, before: { name, slug } },
  }
  // The trail of the workspace is removed with it. That of a child's application stays.
  const trail = { id: workspace.application?.workspaceId ?? id }
  await currentOrThrow(commit(ctx, trail, unit), changedMeanwhile)
  logSecurity(ctx, 'workspace_deleted', { workspaceId: id })
  await enqueuePurge(ctx, id)
}
