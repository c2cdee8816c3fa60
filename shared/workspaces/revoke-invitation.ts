import type { Actor } from '../audit/actor.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, allOf, equal } from '../db/expression.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { logSecurity } from '../security-log.ts'
import { auditedInvitation, invitationPointer, invitations } from './invitation.ts'
import { isPending } from './list-invitations.ts'
import { asRead, assertRight } from './team-rights.ts'
import { type Member, members } from './workspace.ts'

/** The row of the invitation in the path, read together with the authorization. */
export const invitationKeys = (of: { workspaceId: string; params: { invitationId: string } }): Key[] => [
  invitations.key({ workspaceId: of.workspaceId, id: of.params.invitationId }),
]

const changedMeanwhile = () =>
  new Refusal('conflict', 'The invitation changed during the request. List the invitations again, then retry.', {
    code: 'concurrent_update',
  })

/** Revokes a pending invitation: its link stops working. */
export const revokeInvitation = async (
  ctx: Context,
  actor: Member,
  { rows, id }: { rows: BatchRows; id: string },
  by: Actor,
): Promise<void> => {
  const invitation = invitations.from(rows, { workspaceId: actor.workspaceId, id })
  if (invitation === undefined || !isPending(invitation, ctx.clock.now())) {
    throw new Refusal('missing', `This workspace has no pending invitation ${id}.`, {
      code: 'invitation_not_found',
      field: 'invitationId',
    })
  }
  assertRight('revokeInvitation', actor.role, invitation.role)
  const { tokenHash, workspaceId } = invitation
  const unused = allOf(equal('tokenHash', tokenHash), absent('acceptedBy'))
  const unit: Unit = {
    writes: [
      { delete: invitations.key(invitation), when: unused },
      { delete: invitationPointer(tokenHash) },
      { check: members.key(actor), when: asRead(actor) },
    ],
    audit: {
      by,
      action: 'invitation.revoked',
      target: { type: 'invitation', id },
      before: auditedInvitation(invitation),
    },
  }
  await currentOrThrow(commit(ctx, { id: workspaceId }, unit), changedMeanwhile)
  logSecurity(ctx, 'invitation_revoked', { invitationId: id })
}
