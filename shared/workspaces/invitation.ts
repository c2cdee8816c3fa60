import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { batchGet, get, type Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest, stableId } from '../ids.ts'
import { maskedEmail } from '../text/masked-email.ts'
import { type Member, members, type Workspace, workspaces } from './workspace.ts'

/** Decided: an invitation is valid for a week. */
export const invitationDays = 7

/** The roles of an invitation; only a transfer makes an owner. */
export const invitedRoles = ['admin', 'member'] as const

/**
 * An invitation to a workspace; only a hash of its token is stored. An accepted one stays until it expires, so that a
 * repeat by the same person gets the same response.
 */
export const Invitation = z.object({
  id: z.string(),
  workspaceId: z.string(),
  email: z.string(),
  role: z.enum(invitedRoles),
  tokenHash: z.string(),
  invitedBy: z.string(),
  inviterName: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  acceptedBy: z.optional(z.string()),
})
export type Invitation = z.infer<typeof Invitation>

export const invitations = entity({
  type: 'Invitation',
  shape: Invitation,
  key: ({ workspaceId, id }: Pick<Invitation, 'workspaceId' | 'id'>) => ({
    PK: `WS#${workspaceId}`,
    SK: `INVITE#${id}`,
  }),
  indexes: ({ expiresAt }) => ({ ttl: Math.ceil(Date.parse(expiresAt) / 1000) }),
})

/**
 * An invitation as the audit trail shows it. Decided: its address is masked, because no one could remove it from the
 * trail together with the person.
 */
export const auditedInvitation = ({ email, role, expiresAt }: Invitation) => ({
  email: maskedEmail(email),
  role,
  expiresAt,
})

/** One invitation per address: a new one replaces the old one. */
export const invitationId = (workspaceId: string, email: string): string => stableId('inv', workspaceId, email)

/** The key of the row that maps a token to its invitation. */
export const invitationPointer = (tokenHash: string): Key => ({ PK: `INV#${tokenHash}`, SK: 'INV' })

const Pointer = z.object({ workspaceId: z.string(), id: z.string() })

export const unknownInvitation = (): Refusal =>
  new Refusal(
    'missing',
    `This invitation is unknown, was revoked, or is older than ${invitationDays} days. Ask for a new one.`,
    { code: 'invitation_not_found', field: 'token' },
  )

/** An invitation with its workspace and inviter; `member` is the existing membership of the invited person. */
export interface Invited {
  invitation: Invitation
  workspace: Workspace
  member: Member | undefined
}

/** The invitation of a token; throws if the token is unknown, or no longer valid. */
export const findInvitation = async (ctx: Context, token: string, userId?: string): Promise<Invited> => {
  const tokenHash = digest(token)
  const pointer = await get(ctx, invitationPointer(tokenHash))
  if (pointer === undefined) throw unknownInvitation()
  const key = z.parse(Pointer, pointer)
  const { workspaceId } = key
  const memberKeys = userId === undefined ? [] : [members.key({ workspaceId, userId })]
  const rows = await batchGet(ctx, [invitations.key(key), workspaces.key({ id: workspaceId }), ...memberKeys])
  const invitation = invitations.from(rows, key)
  const workspace = workspaces.from(rows, { id: workspaceId })
  const good = invitation?.tokenHash === tokenHash && Date.parse(invitation.expiresAt) > ctx.clock.now()
  if (!good || workspace === undefined) throw unknownInvitation()
  return {
    invitation,
    workspace,
    member: userId === undefined ? undefined : members.from(rows, { workspaceId, userId }),
  }
}
