import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { update } from '../../../shared/db/table.ts'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'
import { join, makePerson, tracesOfPerson } from '../../deletion/people.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeSignedIn, makeTwoFactor, password, phone } from '../../support/world/preparations.ts'
import { refusalOf, statusOf } from '../answers.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const anyone = () => client({ baseUrl: kit.url })
const apiOf = (token: string) => client({ baseUrl: kit.url, token })

test('a deletion revokes all access immediately and removes the rest of the person’s data within an hour', async () => {
  const person = await makePerson(kit)
  const { email, userId, api } = person
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  const own = await api.workspaces.create({ body: { name: 'Mine alone', timezone: 'UTC' } })
  const { token: pat } = await api.cli.createToken({ body: { name: 'ci', workspaceId: kit.workspaceId } })
  const byToken = client({ baseUrl: kit.url, token: pat, workspaceId: kit.workspaceId })
  await byToken.posts.list()
  const inSeed = person.inside(kit.workspaceId)
  await inSeed.team.invite({ params: { id: kit.workspaceId }, body: { email: 'guest@mail.test', role: 'member' } })
  await api.notifications.registerDevice({ body: phone() })
  const secret = await inSeed.memory.createCollection({ body: { name: 'Diary', isPrivate: true } })
  await inSeed.memory.create({ body: { collectionId: secret.id, text: 'Nobody reads this.' } })
  const preview = await api.auth.previewDeletion()
  expect(preview).toMatchObject({
    canDelete: true,
    blockers: [],
    workspacesToDelete: [{ id: own.id, slug: own.slug }],
    workspacesToLeave: [{ id: kit.workspaceId }],
  })
  const deleted = await api.auth.deleteAccount({ body: { password, deleteWorkspaces: [own.id] } })
  expect(deleted).toEqual({ id: userId, deleted: true, deletedWorkspaces: [own.id] })
  expect(await statusOf(api.auth.getSession())).toBe(401)
  expect(await statusOf(byToken.posts.list())).toBe(401)
  const signIn = anyone().auth.signIn({ body: { email, password } })
  expect(await refusalOf(signIn)).toMatchObject({ code: 'invalid_credentials' })
  await kit.service.pass(2 * minuteMs)
  const mail = kit.mail.outbox().filter(({ to, subject }) => to.includes(email) && subject.includes('deleted'))
  expect(mail.length).toBe(1)
  const { items: team } = await kit.sessionApi.team.listMembers({ params: { id: kit.workspaceId } })
  expect(team.map((member) => member.userId)).toEqual([kit.user.id])
  await kit.service.pass(hourMs + 5 * minuteMs, { tickMinutes: 5 })
  const traces = await tracesOfPerson(kit, { userId, email })
  expect(traces.map(({ type }) => type).toSorted()).toEqual(['AuditEntry', 'AuditEntry', 'AuditEntry', 'AuditEntry'])
  expect(JSON.stringify(traces)).not.toContain(email)
  expect(await tracesOfPerson(kit, { userId: secret.id, email: own.id })).toEqual([])
  // The address is free.
  expect(await statusOf(anyone().auth.signUp({ body: { email, password: 'a new life begins', name: 'Ann' } }))).toBe(
    200,
  )
})

test('resources that others use block the deletion, and nothing is transferred silently', async () => {
  const [owner, other] = [await makePerson(kit), await makePerson(kit)]
  const { id, slug } = await owner.api.workspaces.create({ body: { name: 'Shared', timezone: 'UTC' } })
  await join(kit, owner.inside(id), id, other)
  const deleteAccount = () => owner.api.auth.deleteAccount({ body: { password } })
  expect(await refusalOf(deleteAccount())).toMatchObject({
    status: 409,
    code: 'account_deletion_blocked',
    blockers: [{ code: 'workspace_has_members', workspace: { id, slug } }],
  })
  expect((await owner.api.auth.previewDeletion()).canDelete).toBe(false)
  await owner.inside(id).team.transferOwnership({ params: { id }, body: { userId: other.userId } })
  expect((await deleteAccount()).deletedWorkspaces).toEqual([])
  await kit.service.drain()
  const { items } = await other.inside(id).team.listMembers({ params: { id } })
  expect(items.map(({ userId, role }) => [userId, role])).toEqual([[other.userId, 'owner']])
})

test('a running subscription stands in the way until it is cancelled', async () => {
  const { token } = await makeSignedIn(kit)
  const api = apiOf(token)
  const { id } = await api.workspaces.create({ body: { name: 'Paid', timezone: 'UTC' } })
  const subscription = {
    status: 'active',
    planName: 'Team',
    hasAccess: true,
    currentPeriodEnd: '2030-02-01T00:00:00.000Z',
  }
  const put = (more: object) =>
    update(kit.ctx, workspaces.key({ id }), { set: { subscription: { ...subscription, ...more } } })
  await put({})
  const body = { password, deleteWorkspaces: [id] }
  expect(await refusalOf(api.auth.deleteAccount({ body }))).toMatchObject({
    blockers: [{ code: 'subscription_running', workspace: { id } }],
  })
  await put({ cancelAtPeriodEnd: true })
  expect((await api.auth.deleteAccount({ body })).deletedWorkspaces).toEqual([id])
})

test('workspaces that go with the account must be named, all of them and no other', async () => {
  const { token } = await makeSignedIn(kit)
  const api = apiOf(token)
  const { id } = await api.workspaces.create({ body: { name: 'Named', timezone: 'UTC' } })
  for (const deleteWorkspaces of [[], [id, kit.workspaceId], [kit.workspaceId]]) {
    const refused = await refusalOf(api.auth.deleteAccount({ body: { password, deleteWorkspaces } }))
    expect(refused).toMatchObject({ status: 409, code: 'workspaces_not_confirmed', workspacesToDelete: [id] })
  }
  expect((await api.workspaces.list()).map((workspace) => workspace.id)).toEqual([id])
})

test('the password is required, and the code of an account with a second factor', async () => {
  const plain = apiOf((await makeSignedIn(kit)).token)
  expect(await refusalOf(plain.auth.deleteAccount({ body: { password: 'wrong' } }))).toMatchObject({
    status: 403,
    code: 'incorrect_password',
  })
  const { token, nextCode } = await makeTwoFactor(kit)
  const { auth } = apiOf(token)
  expect(await refusalOf(auth.deleteAccount({ body: { password } }))).toMatchObject({ code: 'two_factor_required' })
  expect(await refusalOf(auth.deleteAccount({ body: { password, code: '000000' } }))).toMatchObject({
    code: 'invalid_two_factor_code',
  })
  expect(await statusOf(auth.deleteAccount({ body: { password, code: nextCode() } }))).toBe(200)
})

test('one of two concurrent requests deletes the account', async () => {
  const api = apiOf((await makeSignedIn(kit)).token)
  const both = [0, 1].map(() => statusOf(api.auth.deleteAccount({ body: { password } })))
  const statuses = await Promise.all(both)
  expect(statuses.filter((status) => status === 200).length).toBe(1)
  expect(statuses.every((status) => [200, 401, 403, 409].includes(status))).toBe(true)
})
