import * as z from 'zod/mini'
import { enqueueOrSweep, orLeaveToSweeper } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { currentOrThrow } from '../../db/condition-failed.ts'
import { absent, allOf, anyOf, equal, present } from '../../db/expression.ts'
import { sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import { transact, type Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { described } from '../../http/described.ts'
import { accessTokens, tokenUses } from '../../identity/access-token.ts'
import { credentials } from '../../identity/credential.ts'
import { OwnPassword, provenFactor } from '../../identity/enroll-two-factor.ts'
import { listAccessTokens } from '../../identity/list-access-tokens.ts'
import { type Session, sessions } from '../../identity/session.ts'
import { Code, type TwoFactor, twoFactors, unchanged } from '../../identity/two-factor.ts'
import { type UnsentEmailMessage, unsentEmails } from '../../identity/unsent-email.ts'
import { assertCode } from '../../identity/use-code.ts'
import { users } from '../../identity/user.ts'
import { ulid } from '../../ids.ts'
import { logSecurity } from '../../security-log.ts'
import { dayMs } from '../../time.ts'
import { closeWorkspace, enqueuePurge } from '../../workspaces/deletion.ts'
import { connectionKeys } from '../../workspaces/find-connections.ts'
import { asRead } from '../../workspaces/team-rights.ts'
import { members } from '../../workspaces/workspace.ts'
import { type AccountDeletion, accountDeletions, enqueueAccountPurge } from './deletion.ts'
import { type Membership, maxDeletedWorkspaces, planDeletion } from './preview.ts'

const triedDays = 3

/** The email that an account was deleted: the account has no row anymore, so the row of the email has the address. */
const deletionEmail = (ctx: Context, to: string): { write: Write; enqueue(): Promise<void> } => {
  const nowMs = ctx.clock.now()
  const id = ulid(nowMs)
  const untilMs = nowMs + triedDays * dayMs
  const body: UnsentEmailMessage = { emailId: id }
  return {
    write: { put: unsentEmails.item({ id, to, kind: 'account-deleted', tokenHash: '', failedAtMs: nowMs, untilMs }) },
    enqueue: () => enqueueOrSweep(ctx, 'drain', { body, group: id }),
  }
}

/** The proof of a person, and the workspaces that are deleted with the account. */
export const DeleteAccount = z.extend(OwnPassword, {
  code: described(z.optional(Code), 'For an account with a second factor: the code its app shows, or a recovery code.'),
  deleteWorkspaces: described(
    z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(maxDeletedWorkspaces))),
    'The ids of `workspacesToDelete` in the preview, all of them.',
  ),
})
export type DeleteAccount = z.infer<typeof DeleteAccount>

export const DeletedAccount = z.object({
  id: described(z.string(), 'The ID of the person.'),
  deleted: described(z.literal(true), 'Always true.'),
  deletedWorkspaces: described(z.array(z.string()), 'The IDs of the workspaces that were deleted with the account.'),
})

const changed = () =>
  new Refusal('conflict', 'The account or one of its workspaces changed during the request. Try again.', {
    code: 'concurrent_update',
  })

/** Checks password and second factor. Returns the factor as read. */
const prove = async (ctx: Context, session: Session, { password, code }: DeleteAccount) => {
  const factor = await provenFactor(ctx, session, password)
  if (factor?.status !== 'active') return factor
  if (code === undefined) {
    throw new Refusal('forbidden', 'This account has a second factor. Send the code of its app as "code".', {
      code: 'two_factor_required',
      field: 'code',
    })
  }
  await assertCode(ctx, factor, code, { generation: session.generation, origin: 'SESSION' })
  return factor
}

const assertConfirmed = (alone: readonly Membership[], { deleteWorkspaces }: DeleteAccount) => {
  const ids = alone.map(({ workspace }) => workspace.id)
  const named = new Set(deleteWorkspaces ?? [])
  if (named.size === ids.length && ids.every((id) => named.has(id))) return
  const text = 'The account owns workspaces that are deleted with it. Name exactly these in "deleteWorkspaces".'
  throw new Refusal('conflict', text, {
    code: 'workspaces_not_confirmed',
    field: 'deleteWorkspaces',
    extra: { workspacesToDelete: ids },
  })
}

/** A workspace is deleted only if no one has joined it and it has the same owner. */
const closeAlone = (nowMs: number, { workspace, member }: Membership): Write[] => {
  const { teamVersion } = workspace
  const sameTeam = teamVersion === undefined ? absent('teamVersion') : equal('teamVersion', teamVersion)
  return [...closeWorkspace(workspace, nowMs, sameTeam), { check: members.key(member), when: asRead(member) }]
}

/** The writes that end an account. From then on, no one can sign in to it, and its address is free. */
const endAccount = (session: Session, factor: TwoFactor | undefined, deletion: AccountDeletion): Write[] => {
  const { userId, email } = session
  const deletedAt = new Date(deletion.requestedAtMs).toISOString()
  return [
    {
      update: users.key({ id: userId }),
      change: {
        set: { email: '', name: '', deletedAt, sessionGeneration: session.generation + 1 },
        remove: ['twoFactor'],
      },
      when: allOf(present('PK'), absent('deletedAt')),
    },
    { delete: credentials.key({ email }), when: allOf(equal('userId', userId), equal('verified', true)) },
    factor === undefined
      ? { check: twoFactors.key({ email }), when: anyOf(absent('PK'), equal('status', 'pending')) }
      : { delete: twoFactors.key(factor), when: unchanged(factor) },
    { delete: sessions.key(session) },
    { put: { ...accountDeletions.item(deletion), ...sweepAt(userId, deletion.requestedAtMs + sweepGraceMs) } },
  ]
}

const rowsAtOnce = 90

/**
 * Ends the personal access tokens and the connections of assistants immediately: in workspaces of others they work until the
 * memberships are removed.
 */
const endTokens = async (ctx: Context, userId: string, workspaceIds: readonly string[]): Promise<void> => {
  const [tokens, ...connections] = await Promise.all([
    listAccessTokens(ctx, userId),
    ...workspaceIds.map((workspaceId) => connectionKeys(ctx, { workspaceId, userId })),
  ])
  const keys = [...tokens.flatMap((token) => [accessTokens.key(token), tokenUses.key(token)]), ...connections.flat()]
  for (let from = 0; from < keys.length; from += rowsAtOnce) {
    const some = keys.slice(from, from + rowsAtOnce)
    await transact(ctx, () => some.map((key) => ({ delete: key })))
  }
}

/**
 * Deletes the account of a session's person, and the workspaces that have no other members. Nothing is transferred: data
 * that others use blocks the deletion. A worker removes the rest.
 */
export const deleteAccount = async (
  ctx: Context,
  session: Session,
  request: DeleteAccount,
): Promise<z.infer<typeof DeletedAccount>> => {
  const factor = await prove(ctx, session, request)
  const { userId, email } = session
  const { preview, alone } = await planDeletion(ctx, userId)
  const { blockers } = preview
  if (blockers.length > 0) {
    const text = 'The account cannot be deleted yet. Resolve every entry of "blockers" first.'
    throw new Refusal('conflict', text, { code: 'account_deletion_blocked', extra: { blockers } })
  }
  assertConfirmed(alone, request)
  const nowMs = ctx.clock.now()
  const deletion: AccountDeletion = { id: userId, email, requestedAtMs: nowMs }
  const notice = deletionEmail(ctx, email)
  const ended = endAccount(session, factor, deletion)
  const writes = [...ended, notice.write, ...alone.flatMap((membership) => closeAlone(nowMs, membership))]
  await currentOrThrow(
    transact(ctx, () => writes),
    changed,
  )
  const deletedWorkspaces = alone.map(({ workspace }) => workspace.id)
  const left = preview.workspacesToLeave.map(({ id }) => id)
  await orLeaveToSweeper(ctx, { userId }, () => endTokens(ctx, userId, left))
  logSecurity(ctx, 'user_deleted', { userId, workspaces: deletedWorkspaces.length })
  await Promise.all([
    enqueueAccountPurge(ctx, userId),
    notice.enqueue(),
    ...deletedWorkspaces.map((id) => enqueuePurge(ctx, id)),
  ])
  return { id: userId, deleted: true, deletedWorkspaces }
}
