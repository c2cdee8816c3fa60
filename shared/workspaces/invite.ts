import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { type EmailMessage, sendEmail } from '../aws/email.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, allOf, asStored, equal } from '../db/expression.ts'
import { retryOnConflict } from '../db/retry-on-conflict.ts'
import { batchGet, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { forgetResponse, idempotencyRecord } from '../http/idempotency-writes.ts'
import { credentials } from '../identity/credential.ts'
import { Email } from '../identity/email.ts'
import type { Session } from '../identity/session.ts'
import { digest, random62 } from '../ids.ts'
import { planOf } from '../plans/plans.ts'
import { countQuota } from '../quotas/count.ts'
import { countEmail } from '../quotas/emails.ts'
import { hashedEmail, logSecurity } from '../security-log.ts'
import { dayMs } from '../time.ts'
import {
  auditedInvitation,
  type Invitation,
  invitationDays,
  invitationId,
  invitationPointer,
  invitations,
  invitedRoles,
} from './invitation.ts'
import { type InvitationView, readPending, viewInvitation } from './list-invitations.ts'
import { readTeam } from './list-members.ts'
import { workspaceRetries } from './retries.ts'
import { overPlan } from './subscription.ts'
import { bumpTeamVersion } from './team-change.ts'
import { asRead, assertRight } from './team-rights.ts'
import { noLongerMember } from './update.ts'
import { members, type Workspace, workspaces } from './workspace.ts'

/** Counts an invitation for its recipient and for its workspace; throws 429 if either has reached its limit. */
export const countInvitation = async (ctx: Context, workspace: Workspace, email: string): Promise<void> => {
  await countEmail(ctx, 'invitationMails', email)
  await countQuota(ctx, workspace, 'invitations', { subject: workspace.id })
}

/** The invitation email. Like all emails, it repeats no user input: the linked page shows the names. */
const invitationEmail = ({ email }: Pick<Invitation, 'email'>, inviter: string, link: string): EmailMessage => ({
  to: email,
  subject: 'You have been invited to a workspace',
  text: `${inviter} invited you to a workspace. Open this link to accept the invitation:

${link}

The link works once, for this email address only, and expires in ${invitationDays} days. If you do not know the sender, ignore
this email.
`,
})

/** Emails the link of an invitation; false if the email was not sent. */
const emailInvitation = async (
  ctx: Context,
  invitation: Invitation,
  inviter: string,
  token: string,
): Promise<boolean> => {
  try {
    await sendEmail(ctx, invitationEmail(invitation, inviter, `${ctx.env('BASE_URL')}/invite?token=${token}`))
    return true
  } catch (error) {
    ctx.log.error('an invitation was not sent', { invitationId: invitation.id, reason: String(error) })
    return false
  }
}

/** Decided: how many invitations of a workspace can be pending at the same time. */
const maxInvitations = 100

export const InviteRequest = z
  .strictObject({
    email: described(Email, 'The email address to invite. Only this address can accept.'),
    role: described(
      z._default(z.enum(invitedRoles), 'member'),
      'The role that the person gets. An admin can invite only members.',
    ),
  })
  .register(z.globalRegistry, { id: 'InviteRequest', description: 'Whom to invite, and as what.' })
type InviteRequest = z.infer<typeof InviteRequest>

/** What an invitation depends on, read again for each attempt. */
const look = async (ctx: Context, workspaceId: string, userId: string, email: string) => {
  const id = invitationId(workspaceId, email)
  const keys = [
    workspaces.key({ id: workspaceId }),
    members.key({ workspaceId, userId }),
    invitations.key({ workspaceId, id }),
    credentials.key({ email }),
  ]
  const rows = await batchGet(ctx, keys)
  const workspace = workspaces.from(rows, { id: workspaceId })
  const actor = members.from(rows, { workspaceId, userId })
  if (!workspace || actor?.status !== 'active') throw noLongerMember()
  const credential = credentials.from(rows, { email })
  // Counted after the team version was read: if another change happened in between, the write fails on the version.
  const plan = planOf(workspace.subscription.planId)
  const [pending, known, team] = await Promise.all([
    readPending(ctx, workspaceId),
    credential?.verified ? members.get(ctx, { workspaceId, userId: credential.userId }) : undefined,
    plan && readTeam(ctx, workspaceId),
  ])
  return { id, workspace, actor, pending, old: invitations.from(rows, { workspaceId, id }), known, team, plan }
}

/** Decided: a pending invitation takes a seat, so that a person who accepts finds room. A suspended member keeps theirs. */
const assertSeat = (ctx: Context, { id, workspace, pending, team, plan }: Awaited<ReturnType<typeof look>>) => {
  if (plan === undefined || team === undefined) return
  const used = team.length + pending.filter((open) => open.id !== id).length
  if (used >= plan.seats) throw overPlan(ctx, workspace, 'seats', { limit: plan.seats, used })
}

const assertInvitable = ({ id, known, pending }: Awaited<ReturnType<typeof look>>) => {
  if (known) {
    throw new Refusal('conflict', 'This person is already a member of the workspace.', {
      code: 'already_member',
      field: 'email',
    })
  }
  if (pending.filter((open) => open.id !== id).length >= maxInvitations) {
    throw new Refusal('invalid', `A workspace has at most ${maxInvitations} pending invitations. Revoke one first.`, {
      code: 'invitation_limit',
    })
  }
}

/** Replaces the earlier invitation, whose link becomes invalid. */
const replace = (old: Invitation | undefined, invitation: Invitation): Write[] => {
  const { tokenHash, workspaceId, id } = invitation
  const { ttl } = invitations.item(invitation)
  const accepted = asStored('acceptedBy', old?.acceptedBy)
  return [
    {
      put: invitations.item(invitation),
      when: old ? allOf(equal('tokenHash', old.tokenHash), accepted) : absent('PK'),
    },
    { put: { ...invitationPointer(tokenHash), type: 'InvitationPointer', workspaceId, id, ttl } },
    ...(old ? [{ delete: invitationPointer(old.tokenHash) }] : []),
  ]
}

/** A concurrent request with the same Idempotency-Key was first: its response counts. */
const keyInUse = () =>
  new Refusal('conflict', 'A request with this Idempotency-Key is still in progress. Retry in a few seconds.', {
    code: 'idempotency_key_in_use',
    field: 'Idempotency-Key',
  })

/** Invites an address by email; its earlier invitation ends. Only the email contains the token. */
export const invite = async (
  ctx: Context,
  { workspaceId, inviter }: { workspaceId: string; inviter: Session },
  { email, role }: InviteRequest,
  by: Actor,
): Promise<z.infer<typeof InvitationView>> => {
  const token = random62(43)
  const made = await retryOnConflict(workspaceRetries, async () => {
    const seen = await look(ctx, workspaceId, inviter.userId, email)
    const { id, workspace, actor, old } = seen
    assertRight('invite', actor.role, role)
    if (old && old.acceptedBy === undefined) assertRight('invite', actor.role, old.role)
    assertInvitable(seen)
    assertSeat(ctx, seen)
    const nowMs = ctx.clock.now()
    const made: Invitation = {
      id,
      workspaceId,
      email,
      role,
      tokenHash: digest(token),
      invitedBy: inviter.userId,
      inviterName: inviter.name,
      createdAt: new Date(nowMs).toISOString(),
      expiresAt: new Date(nowMs + invitationDays * dayMs).toISOString(),
    }
    const unit: Unit = {
      writes: [...replace(old, made), { check: members.key(actor), when: asRead(actor) }, bumpTeamVersion(workspace)],
      audit: {
        by,
        action: 'invitation.created',
        target: { type: 'invitation', id },
        after: auditedInvitation(made),
      },
      response: { data: viewInvitation(made, true) },
    }
    await currentOrThrow(commit(ctx, workspace, unit), keyInUse, idempotencyRecord)
    return made
  })
  const view = viewInvitation(made, true)
  const { id: invitationId } = made
  logSecurity(ctx, 'invitation_created', { invitationId, account: hashedEmail(email), role })
  const isSent = await emailInvitation(ctx, made, inviter.email, token)
  if (!isSent) {
    // A repeated request invites again.
    await commit(ctx, { id: workspaceId }, { writes: forgetResponse(ctx, { data: view }) })
    throw new Refusal(
      'unavailable',
      'The invitation was created, but the email could not be sent. Invite the address again.',
      { code: 'email_not_sent' },
    )
  }
  return view
}
