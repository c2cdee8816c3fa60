import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { batchGet, queryAll } from '../db/table.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { cutPage } from '../http/page.ts'
import { type Invitation, invitations, invitedRoles } from './invitation.ts'
import { inviterMayInvite } from './preview-invitation.ts'
import { members } from './workspace.ts'

/** An invitation as shown to owners and admins; only the email contains its token. */
export const InvitationView = z
  .object({
    id: described(z.string(), 'The ID of the invitation.'),
    email: described(z.string(), 'The email address that was invited.'),
    role: described(z.enum(invitedRoles), 'The role that the person gets.'),
    invitedBy: described(z.string(), 'The ID of the person who sent it.'),
    inviterName: described(z.string(), 'The name of the person who sent it.'),
    createdAt: timestamp('When it was sent, in UTC.'),
    expiresAt: timestamp('When it expires, in UTC: 7 days after it was sent.'),
    acceptable: described(
      z.boolean(),
      'False while the inviter is suspended, has left, or has a role that may not send it.',
    ),
  })
  .register(z.globalRegistry, { id: 'Invitation', description: 'An invitation that was not accepted yet.' })

export const viewInvitation = (invitation: Invitation, acceptable: boolean): z.infer<typeof InvitationView> => ({
  ...invitation,
  acceptable,
})

/** Neither accepted nor expired. */
export const isPending = ({ acceptedBy, expiresAt }: Invitation, nowMs: number): boolean =>
  acceptedBy === undefined && Date.parse(expiresAt) > nowMs

/** The pending invitations, newest first. */
export const readPending = async (ctx: Context, workspaceId: string): Promise<Invitation[]> => {
  const { PK, SK } = invitations.key({ workspaceId, id: '' })
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  const nowMs = ctx.clock.now()
  const sortKey = ({ createdAt, id }: Invitation) => `${createdAt} ${id}`
  return invitations
    .readable(ctx, rows)
    .filter((invitation) => isPending(invitation, nowMs))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1))
}

/**
 * A page of the pending invitations, newest first, with the exact total. One read determines which inviters can still
 * invite.
 */
export const listInvitations = async (ctx: Context, workspaceId: string, range: { limit: number; offset: number }) => {
  const page = cutPage(await readPending(ctx, workspaceId), range)
  const inviterOf = ({ invitedBy }: Invitation) => ({ workspaceId, userId: invitedBy })
  const rows = await batchGet(
    ctx,
    page.items.map((invitation) => members.key(inviterOf(invitation))),
  )
  return {
    ...page,
    items: page.items.map((invitation) =>
      viewInvitation(invitation, inviterMayInvite(invitation, members.from(rows, inviterOf(invitation)))),
    ),
  }
}
