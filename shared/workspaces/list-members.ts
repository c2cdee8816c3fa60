import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { type BatchRows, batchGet, queryAll } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { cutPage } from '../http/page.ts'
import { users } from '../identity/user.ts'
import { type Member, members, roles } from './workspace.ts'

/** Decided: the maximum number of members of a workspace. */
export const maxMembers = 200

/** A member as shown to the others. */
export const MemberView = z
  .object({
    userId: described(z.string(), 'The ID of the person.'),
    name: described(z.nullable(z.string()), 'The name of the person; null if their account was deleted.'),
    email: described(z.nullable(z.string()), 'The email address of the person; null if their account was deleted.'),
    role: described(
      z.enum(roles),
      'What the person may do: an `owner` everything, an `admin` all but managing admins and deleting or transferring the workspace, a `member` the daily work.',
    ),
    status: described(z.enum(['active', 'suspended']), '`suspended`: the person has no access for now.'),
    joinedAt: timestamp('When the person joined, in UTC.'),
  })
  .register(z.globalRegistry, { id: 'Member', description: 'A person in a workspace.' })

/** The people of a workspace, in the order in which they joined. */
export const readTeam = async (ctx: Context, workspaceId: string): Promise<Member[]> => {
  const { PK, SK } = members.key({ workspaceId, userId: '' })
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  const sortKey = ({ createdAt, userId }: Member) => `${createdAt} ${userId}`
  const people = members.readable(ctx, rows).filter(({ application }) => application !== true)
  return people.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}

/** The person who owns a workspace. */
export const ownerOf = async (ctx: Context, workspaceId: string): Promise<string | undefined> =>
  (await readTeam(ctx, workspaceId)).find(({ role }) => role === 'owner')?.userId

export const assertRoom = (team: readonly Member[]): void => {
  if (team.length < maxMembers) return
  throw new Refusal('invalid', `A workspace has at most ${maxMembers} members. One must leave first.`, {
    code: 'member_limit',
  })
}

/** Name and address are those of the person's row; null if the person no longer exists. */
export const viewMember = (member: Member, rows: BatchRows): z.infer<typeof MemberView> => {
  const { userId, role, status, createdAt: joinedAt } = member
  const user = users.from(rows, { id: userId })
  return { userId, name: user?.name ?? null, email: user?.email ?? null, role, status, joinedAt }
}

/** A page of the members, oldest first, with the exact total: one Query, and one read of the listed people. */
export const listMembers = async (ctx: Context, workspaceId: string, range: { limit: number; offset: number }) => {
  const page = cutPage(await readTeam(ctx, workspaceId), range)
  const rows = await batchGet(
    ctx,
    page.items.map(({ userId }) => users.key({ id: userId })),
  )
  return { ...page, items: page.items.map((member) => viewMember(member, rows)) }
}
