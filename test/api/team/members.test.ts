import { expect, test } from 'vitest'
import { put } from '../../../shared/db/table.ts'
import { accessTokens } from '../../../shared/identity/access-token.ts'
import { setPlan } from '../../../shared/workspaces/plan.ts'
import { members as memberRows, type Role } from '../../../shared/workspaces/workspace.ts'
import { scanTable } from '../../support/world/rows.ts'
import { refusalOf, statusOf } from '../answers.ts'
import { makePerson, makeTeam, type Person, serveFile } from './team.ts'

serveFile()

test('lists members in order of joining, with an exact total on every page', async () => {
  const { kit, owner, params, inside, join } = await makeTeam()
  const people = [owner]
  for (const name of ['Bea', 'Cem']) {
    kit.clock.pass(1000)
    people.push(await join('member', name))
  }
  const { team } = inside(people[1] ?? owner)
  const all = await team.listMembers({ params })
  expect(all).toMatchObject({ total: 3, limit: 50, offset: 0, hasMore: false })
  expect(all.items.map(({ userId, name, email, role, status }) => ({ userId, name, email, role, status }))).toEqual(
    people.map(({ userId, name, email }, n) => {
      return { userId, name, email, role: n === 0 ? 'owner' : 'member', status: 'active' }
    }),
  )
  const second = await team.listMembers({ params, query: { limit: 1, offset: 1 } })
  expect(second).toMatchObject({ total: 3, hasMore: true, items: [{ name: 'Bea' }] })
  expect(await team.listMembers({ params, query: { limit: 1, offset: 2 } })).toMatchObject({ hasMore: false })
})

test('a suspended member loses access with the next request, by session and by token, until reactivated', async () => {
  const { kit, owner, id, params, inside, join, at } = await makeTeam()
  const max = await join()
  const { token } = await max.api.cli.createToken({ body: { name: 'ci', workspaceId: id } })
  const reads = () =>
    Promise.all([max.token, token].map((bearer) => statusOf(inside({ token: bearer }).workspaces.get({ params }))))
  expect(await reads()).toEqual([200, 200])
  expect(await inside(owner).team.suspend(at(max))).toMatchObject({ userId: max.userId, status: 'suspended' })
  expect(await reads()).toEqual([403, 403])
  expect(await refusalOf(inside(max).team.leave({ params }))).toMatchObject({
    status: 403,
    code: 'membership_suspended',
  })
  expect(await max.api.workspaces.list()).toEqual([])
  expect(await inside(owner).team.suspend(at(max))).toMatchObject({ status: 'suspended' })
  expect(await inside(owner).team.reactivate(at(max))).toMatchObject({ status: 'active' })
  expect(await reads()).toEqual([200, 200])
  expect(kit.logged.filter((line) => line.includes('"error"'))).toEqual([])
})

test('a removed member loses access with the next request, and their tokens for the workspace are revoked for good', async () => {
  const { kit, owner, id, params, inside, join, at, invite, accept, members } = await makeTeam()
  const max = await join()
  const { token } = await max.api.cli.createToken({ body: { name: 'ci', workspaceId: id } })
  const elsewhere = await max.api.workspaces.create({ body: { name: 'Own', timezone: 'UTC' } })
  const ownToken = await max.api.cli.createToken({ body: { name: 'own', workspaceId: elsewhere.id } })
  const reads = () => statusOf(inside({ token }).workspaces.get({ params }))
  expect(await reads()).toBe(200)
  const usesPartitionOf = async () =>
    (await scanTable(kit)).filter((row) => row['type'] === 'TokenUse' && row['userId'] === max.userId)
  expect(await usesPartitionOf()).toHaveLength(1)
  expect(await inside(owner).team.remove(at(max))).toEqual({ id: max.userId, deleted: true })
  expect(await usesPartitionOf()).toEqual([])
  expect(await members()).toHaveLength(1)
  expect(await refusalOf(inside(max).workspaces.get({ params }))).toMatchObject({
    status: 403,
    code: 'not_a_member',
  })
  expect(await reads()).toBe(401)
  expect((await max.api.workspaces.list()).map((workspace) => workspace.id)).toEqual([elsewhere.id])
  await invite(max.email)
  await accept(max)
  expect(await reads()).toBe(401)
  expect((await max.api.cli.listTokens()).map((token) => token.id)).toEqual([ownToken.id])
})

test('ending a membership revokes more tokens than one transaction can hold', async () => {
  const { kit, owner, id, inside, join, at } = await makeTeam()
  const max = await join()
  const token = { userId: max.userId, workspaceId: id, name: 'many', scopes: ['*'], secretHash: '', createdAt: '2030' }
  const rows = Array.from({ length: 100 }, (_, n) =>
    accessTokens.item({ ...token, id: `t${100 + n}`, expiresAt: null, revokedAt: null }),
  )
  await Promise.all(rows.map((row) => put(kit.ctx, row)))
  expect(await max.api.cli.listTokens()).toHaveLength(100)
  await inside(owner).team.remove(at(max))
  expect(await max.api.cli.listTokens()).toEqual([])
}, 30_000)

test('a member can leave; the owner can leave only after transferring ownership', async () => {
  const { owner, id, params, inside, join, members, roleOf } = await makeTeam()
  const max = await join()
  expect(await refusalOf(inside(owner).team.leave({ params }))).toMatchObject({
    status: 409,
    code: 'owner_cannot_leave',
  })
  const handed = await inside(owner).team.transferOwnership({ params, body: { userId: max.userId } })
  expect(handed).toMatchObject({ userId: max.userId, role: 'owner', name: 'Max' })
  expect([await roleOf(owner), await roleOf(max)]).toEqual(['admin', 'owner'])
  expect(await inside(owner).team.leave({ params })).toEqual({ id, left: true })
  expect((await members(max)).map(({ userId }) => userId)).toEqual([max.userId])
})

test('only active members of the workspace can receive ownership', async () => {
  const { owner, params, inside, join, at, roleOf } = await makeTeam()
  const max = await join()
  await inside(owner).team.suspend(at(max))
  const transfer = (userId: string) => inside(owner).team.transferOwnership({ params, body: { userId } })
  expect(await refusalOf(transfer(max.userId))).toMatchObject({ status: 409, code: 'member_suspended' })
  expect(await refusalOf(transfer('nobody'))).toMatchObject({ status: 404, code: 'member_not_found', field: 'userId' })
  expect(await refusalOf(transfer(owner.userId))).toMatchObject({ status: 403, code: 'cannot_act_on_self' })
  expect(await roleOf(owner)).toBe('owner')
})

test('without a plan, members can be listed, removed, made owner, and can leave; only inviting is blocked', async () => {
  const { kit, owner, id, params, inside, join, at, invite } = await makeTeam()
  const [max, mia, moe] = [await join(), await join(), await join()]
  await setPlan(kit.ctx, id, { status: 'canceled', planName: null, hasAccess: false })
  const { team } = inside(owner)
  expect((await team.listMembers({ params })).total).toBe(4)
  expect((await team.listInvitations({ params })).total).toBe(0)
  await team.remove(at(max))
  await team.suspend(at(moe))
  await inside(mia).team.leave({ params })
  await team.reactivate(at(moe))
  await team.transferOwnership({ params, body: { userId: moe.userId } })
  expect(await refusalOf(invite('new@mail.test', 'member', moe))).toMatchObject({
    status: 402,
    code: 'subscription_required',
  })
})

/** What a member does to another, each to a separate target. */
const acts = ['suspend', 'reactivate', 'remove', 'changeRole', 'transferOwnership'] as const
type Act = (typeof acts)[number]

/** Of each role the acts it may do to whom, written down once more. */
const allowed: Readonly<Record<Role, Readonly<Record<Role, readonly Act[]>>>> = {
  owner: { owner: [], admin: acts, member: acts },
  admin: { owner: [], admin: [], member: ['suspend', 'reactivate', 'remove'] },
  member: { owner: [], admin: [], member: [] },
}
const roles = ['owner', 'admin', 'member'] as const

test.each(
  roles.flatMap((own) => roles.map((other) => [own, other] as const)),
)('a member who is %s can act on one who is %s only as allowed', async (own, other) => {
  const { kit, id, params, inside, at } = await makeTeam()
  const [actor, others] = await Promise.all([makePerson(), makePerson()])
  const membership = { workspaceId: id, status: 'active', createdAt: '2030-01-01T00:00:00.000Z' } as const
  // Only this test has a second owner: the protection must not depend on who they are.
  const take = ({ userId }: Person, role: Role) => put(kit.ctx, memberRows.item({ ...membership, userId, role }))
  const done: Act[] = []
  const { team } = inside(actor)
  const calls: Record<Act, () => Promise<unknown>> = {
    suspend: () => team.suspend(at(others)),
    reactivate: () => team.reactivate(at(others)),
    remove: () => team.remove(at(others)),
    changeRole: () => team.changeRole({ ...at(others), body: { role: 'admin' } }),
    transferOwnership: () => team.transferOwnership({ params, body: { userId: others.userId } }),
  }
  for (const act of acts) {
    await Promise.all([take(actor, own), take(others, other)])
    const rows = () => memberRows.get(kit.ctx, { workspaceId: id, userId: others.userId })
    const was = await rows()
    const status = await statusOf(calls[act]())
    if (status === 200) done.push(act)
    else {
      expect({ act, status }).toEqual({ act, status: 403 })
      expect(await rows()).toEqual(was)
    }
  }
  expect(done).toEqual(allowed[own][other])
})

test('no member can act on themselves', async () => {
  const { owner, inside, join, at } = await makeTeam()
  const admin = await join('admin')
  for (const person of [owner, admin]) {
    const { team } = inside(person)
    for (const call of [team.suspend, team.reactivate, team.remove]) {
      expect(await refusalOf(call(at(person)))).toMatchObject({ status: 403, code: 'cannot_act_on_self' })
    }
  }
  const demotion = inside(owner).team.changeRole({ ...at(owner), body: { role: 'member' } })
  expect(await refusalOf(demotion)).toMatchObject({ status: 403, code: 'cannot_act_on_self' })
})

test('the owner promotes members and demotes admins; rejects any other role', async () => {
  const { owner, inside, join, at, roleOf } = await makeTeam()
  const max = await join()
  const change = (role: 'admin' | 'member') => inside(owner).team.changeRole({ ...at(max), body: { role } })
  expect(await change('admin')).toMatchObject({ role: 'admin', name: 'Max' })
  expect(await change('admin')).toMatchObject({ role: 'admin' })
  expect(await change('member')).toMatchObject({ role: 'member' })
  expect(await roleOf(max)).toBe('member')
  // @ts-expect-error An owner is made by transfer alone.
  expect(await refusalOf(change('owner'))).toMatchObject({ status: 400, field: 'role' })
})

test('a member of another workspace is not found in this one', async () => {
  const { owner, inside, at } = await makeTeam()
  const stranger = await (await makeTeam()).join()
  expect(await refusalOf(inside(owner).team.suspend(at(stranger)))).toMatchObject({
    status: 404,
    code: 'member_not_found',
  })
})
