import { systemActor } from '../../audit/actor.ts'
import type { Context } from '../../context.ts'
import { removeRows } from '../../db/bulk.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import { allOf, begins, equal, present } from '../../db/expression.ts'
import { pagesOf } from '../../db/partition.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import { batchGet, type Item, type Key, keyOf, queryAll, transact, update } from '../../db/table.ts'
import { accessTokens, tokenUses } from '../../identity/access-token.ts'
import { credentials } from '../../identity/credential.ts'
import { collections, collectionsOf } from '../../memory/collection.ts'
import { deleteCollection } from '../../memory/delete-collection.ts'
import { deviceOwners } from '../../notifications/devices/device.ts'
import { profiles } from '../../notifications/profile.ts'
import { hourMs } from '../../time.ts'
import { endMembership } from '../../workspaces/end-membership.ts'
import { invitationId, invitationPointer, invitations } from '../../workspaces/invitation.ts'
import { type AccountDeletion, type AccountPurge, accountDeletions } from './deletion.ts'
import { type Membership, readMemberships } from './preview.ts'

/** The last pass starts this long after the deletion: a function that was admitted before can write for a minute. */
const lastPassDelayMs = hourMs

/** The collections that only this person can see. */
const removePrivateCollections = async (ctx: Context, workspaceId: string, userId: string): Promise<void> => {
  const rows = await queryAll(ctx, { key: equal('PK', collectionsOf(workspaceId)) })
  const own = rows
    .map(collections.parse)
    .filter(
      (collection) => collection.isPrivate && collection.createdBy === userId && collection.deletedAtMs === undefined,
    )
  for (const collection of own) await deleteCollection(ctx, collection, userId)
}

/** The invitations that the person has sent, and the one that they got. */
const removeInvitations = async (ctx: Context, workspaceId: string, { id, email }: AccountDeletion): Promise<void> => {
  const { PK, SK } = invitations.key({ workspaceId, id: '' })
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  const received = invitationId(workspaceId, email)
  const keys = rows
    .map(invitations.parse)
    .filter((invitation) => invitation.invitedBy === id || invitation.id === received)
    .flatMap((invitation): Key[] => [invitationPointer(invitation.tokenHash), invitations.key(invitation)])
  await removeRows(ctx, keys)
}

const leave = async (ctx: Context, deletion: AccountDeletion, { workspace, member }: Membership): Promise<void> => {
  const { id } = workspace
  await removePrivateCollections(ctx, id, deletion.id)
  await removeInvitations(ctx, id, deletion)
  const by = { ...systemActor('account-deletion'), userId: deletion.id }
  // Someone else may have removed the person in the meantime.
  await ifCurrent(endMembership(ctx, member, 'member.left', { by }))
}

/** The rows that a row of the person's partition refers to, and the row itself. */
const keysOfRow = (row: Item): Key[] => {
  if (row['type'] !== 'AccessToken') return [keyOf(row)]
  return [tokenUses.key(accessTokens.parse(row)), keyOf(row)]
}

/** The rows that link a device to the person, unless another person has registered it since then. */
const removeDevices = async (ctx: Context, userId: string): Promise<void> => {
  const profile = await profiles.get(ctx, { userId })
  for (const { id: deviceId } of profile?.devices ?? []) {
    const own = { delete: deviceOwners.key({ deviceId }), when: equal('userId', userId) }
    await ifCurrent(transact(ctx, () => [own]))
  }
}

/** The rows of the address. Another person may have signed up with it since then. */
const removeAddress = async (ctx: Context, { id, email }: AccountDeletion): Promise<void> => {
  const { PK } = credentials.key({ email })
  for await (const page of pagesOf(ctx, PK)) {
    const own = page.filter(({ userId, type }) => type === 'KnownPlace' || userId === id)
    await removeRows(ctx, own.map(keyOf))
  }
}

/** The row of the person stays until the last pass. Without it, a session that is opened in the meantime would be valid. */
const removeRemains = async (ctx: Context, deletion: AccountDeletion, isLast: boolean): Promise<void> => {
  const { id } = deletion
  for (const membership of await readMemberships(ctx, id)) await leave(ctx, deletion, membership)
  await removeAddress(ctx, deletion)
  await removeDevices(ctx, id)
  const { PK, SK } = accountDeletions.key(deletion)
  for await (const page of pagesOf(ctx, PK)) {
    const rows = page.filter((row) => row['SK'] !== SK && (isLast || row['type'] !== 'User'))
    await removeRows(ctx, rows.flatMap(keysOfRow))
  }
}

/**
 * Removes what a deleted account leaves: immediately, and in a last pass when no function can be writing anymore. Each pass
 * starts from what it finds, so an interrupted pass is simply run again.
 */
export const purgeAccount = async (ctx: Context, { userId: id }: AccountPurge): Promise<void> => {
  const rows = await batchGet(ctx, [accountDeletions.key({ id })])
  const deletion = accountDeletions.from(rows, { id })
  if (deletion === undefined) return
  const quietAtMs = deletion.requestedAtMs + lastPassDelayMs
  const isLast = ctx.clock.now() >= quietAtMs
  await removeRemains(ctx, deletion, isLast)
  if (!isLast) {
    const change = { set: sweepAt(id, quietAtMs) }
    await ifCurrent(update(ctx, accountDeletions.key(deletion), change, present('PK')))
    return
  }
  await transact(ctx, () => [{ delete: accountDeletions.key(deletion) }])
}
