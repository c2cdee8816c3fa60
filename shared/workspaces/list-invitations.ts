import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { all, begins, equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { cutPage } from '../http/page.ts'
import { type Invitation, invitations, invitedRoles } from './invitation.ts'

/** An invitation as owners and admins see it; its token is only in the mail. */
export const InvitationView = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(invitedRoles),
    invitedBy: z.string(),
    inviterName: z.string(),
    createdAt: z.string(),
    expiresAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'Invitation' })

export const viewInvitation = (invitation: Invitation): z.infer<typeof InvitationView> => invitation

/** Not accepted, and good still. */
export const isPending = ({ acceptedBy, expiresAt }: Invitation, nowMs: number): boolean =>
  acceptedBy === undefined && Date.parse(expiresAt) > nowMs

/** The invitations that wait, newest first. */
export const readPending = async (ctx: Context, workspaceId: string): Promise<Invitation[]> => {
  const { PK, SK } = invitations.key({ workspaceId, id: '' })
  const rows = await queryAll(ctx, { key: all(equal('PK', PK), begins('SK', SK)) })
  const nowMs = ctx.clock.now()
  const place = ({ createdAt, id }: Invitation) => `${createdAt} ${id}`
  return rows
    .map(invitations.parse)
    .filter((one) => isPending(one, nowMs))
    .sort((a, b) => (place(a) < place(b) ? 1 : -1))
}

/** A page of the invitations that wait, newest first, with the exact total. */
export const listInvitations = async (ctx: Context, workspaceId: string, page: { limit: number; offset: number }) =>
  cutPage((await readPending(ctx, workspaceId)).map(viewInvitation), page)
