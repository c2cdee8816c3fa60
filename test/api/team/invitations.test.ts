import { expect, test } from 'vitest'
import { put } from '../../../shared/db/table.ts'
import { credentials } from '../../../shared/identity/credential.ts'
import { random62 } from '../../../shared/ids.ts'
import { dayMs } from '../../../shared/time.ts'
import { invitations } from '../../../shared/workspaces/invitation.ts'
import { previewInvitation } from '../../../shared/workspaces/preview-invitation.ts'
import { members } from '../../../shared/workspaces/workspace.ts'
import { scanTable } from '../../support/world/rows.ts'
import { refusalOf, statusOf } from '../answers.ts'
import { failing, makePerson, makeTeam, serveFile, tokenFor } from './team.ts'

serveFile()

const newAddress = () => `${random62(12).toLowerCase()}@mail.test`

test('an invited person accepts with the emailed link and becomes a member', async () => {
  const { kit, owner, id, params, inside, invite, accept, roleOf } = await makeTeam()
  const max = await makePerson('Max')
  const made = await invite(max.email, 'admin')
  expect(made).toMatchObject({ email: max.email, role: 'admin', invitedBy: owner.userId, inviterName: 'Olga' })
  expect(Date.parse(made.expiresAt)).toBe(kit.clock.now() + 7 * dayMs)
  const letter = kit.mail.outbox().findLast(({ to }) => to.includes(max.email))
  expect(letter?.text).toContain(`${kit.url}/invite?token=`)
  expect(letter?.text).toContain(owner.email)
  // No user input is sent in our name.
  expect(letter?.text).not.toMatch(/Acme|Olga/)
  const token = tokenFor(max.email)
  expect(token).toMatch(/^\w{43}$/)
  expect(await previewInvitation(kit.ctx, token)).toEqual({
    workspaceName: 'Acme',
    inviterName: 'Olga',
    role: 'admin',
    email: max.email,
    expiresAt: made.expiresAt,
    accepted: false,
  })
  expect(await accept(max)).toMatchObject({ id, name: 'Acme', role: 'admin' })
  expect(await roleOf(max)).toBe('admin')
  expect(await inside(owner).team.listInvitations({ params })).toMatchObject({ total: 0, items: [] })
  expect((await max.api.workspaces.list()).map((workspace) => workspace.id)).toEqual([id])
})

test('the token is stored only as a hash, and no response contains it', async () => {
  const { kit, owner, params, inside, invite } = await makeTeam()
  const email = newAddress()
  const made = await invite(email)
  const token = tokenFor(email)
  const listed = await inside(owner).team.listInvitations({ params })
  const rows = await scanTable(kit)
  expect(rows.filter(({ type }) => type === 'InvitationPointer').length).toBeGreaterThan(0)
  for (const text of [made, listed, rows].map((value) => JSON.stringify(value))) expect(text).not.toContain(token)
  expect(JSON.stringify(listed)).not.toMatch(/hash/i)
})

test('only the invited address can accept; everyone else sees a masked address', async () => {
  const { invite, accept, members } = await makeTeam()
  const [max, eve] = [await makePerson('Max'), await makePerson('Eve')]
  await invite(max.email)
  const refused = await refusalOf(accept(eve, tokenFor(max.email)))
  expect(refused).toMatchObject({ status: 403, code: 'invitation_email_mismatch' })
  expect(JSON.stringify(refused)).not.toContain(max.email.split('@')[0])
  expect(await members()).toHaveLength(1)
  await accept(max)
  expect(await members()).toHaveLength(2)
})

test('email addresses are case-insensitive', async () => {
  const { invite, accept } = await makeTeam()
  const max = await makePerson('Max')
  expect(await invite(max.email.toUpperCase())).toMatchObject({ email: max.email })
  expect(await accept(max)).toMatchObject({ role: 'member' })
})

test('accepting again returns the same membership; one of ten concurrent acceptances creates it', async () => {
  const { kit, id, invite, accept, members } = await makeTeam()
  const max = await makePerson('Max')
  await invite(max.email)
  const answers = await Promise.all(Array.from({ length: 10 }, () => accept(max)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ id, role: 'member' })
  expect(await members()).toHaveLength(2)
  const rows = (await scanTable(kit)).filter(({ type, workspaceId }) => type === 'Member' && workspaceId === id)
  expect(rows).toHaveLength(2)
  expect(await previewInvitation(kit.ctx, tokenFor(max.email))).toMatchObject({ accepted: true })
})

test('a used link does not restore a removed or suspended member', async () => {
  const { owner, inside, join, accept, at, members } = await makeTeam()
  const max = await join()
  await inside(owner).team.suspend(at(max))
  expect(await refusalOf(accept(max))).toMatchObject({ status: 403, code: 'membership_suspended' })
  await inside(owner).team.remove(at(max))
  expect(await refusalOf(accept(max))).toMatchObject({ status: 400, code: 'invitation_already_used' })
  expect(await members()).toHaveLength(1)
})

test('a suspended member who is invited again gets an error that says so', async () => {
  const { owner, inside, join, invite, accept, at } = await makeTeam()
  const max = await join()
  await inside(owner).team.suspend(at(max))
  await invite(max.email)
  expect(await refusalOf(accept(max))).toMatchObject({ status: 403, code: 'membership_suspended' })
})

test('a link is valid for exactly seven days', async () => {
  const { kit, owner, params, inside, invite, accept } = await makeTeam()
  const [max, mia] = [await makePerson('Max'), await makePerson('Mia')]
  await invite(max.email)
  await invite(mia.email)
  kit.clock.pass(7 * dayMs - 1)
  expect(await accept(max)).toMatchObject({ role: 'member' })
  kit.clock.pass(1)
  expect(await refusalOf(accept(mia))).toMatchObject({ status: 404, code: 'invitation_not_found', field: 'token' })
  expect((await inside(owner).team.listInvitations({ params })).total).toBe(0)
})

test('a withdrawn invitation is invalid', async () => {
  const { owner, id, params, inside, invite, accept } = await makeTeam()
  const max = await makePerson('Max')
  const { id: invitationId } = await invite(max.email)
  const revoke = () => inside(owner).team.revokeInvitation({ params: { id, invitationId } })
  expect(await revoke()).toEqual({ id: invitationId, deleted: true })
  expect(await refusalOf(accept(max))).toMatchObject({ status: 404, code: 'invitation_not_found' })
  expect(await refusalOf(revoke())).toMatchObject({ status: 404, code: 'invitation_not_found' })
  expect((await inside(owner).team.listInvitations({ params })).items).toEqual([])
})

test('inviting an address again ends its old link and leaves one invitation with the new role', async () => {
  const { kit, owner, params, inside, invite, accept } = await makeTeam()
  const max = await makePerson('Max')
  await invite(max.email)
  const old = tokenFor(max.email)
  kit.clock.pass(1000)
  const second = await invite(max.email, 'admin')
  expect(await inside(owner).team.listInvitations({ params })).toMatchObject({ total: 1, items: [second] })
  const pointers = (await scanTable(kit)).filter(
    (row) => row['type'] === 'InvitationPointer' && row['id'] === second.id,
  )
  expect(pointers).toHaveLength(1)
  expect(await refusalOf(accept(max, old))).toMatchObject({ status: 404, code: 'invitation_not_found' })
  expect(await accept(max)).toMatchObject({ role: 'admin' })
})

test('a member cannot be invited again; a person with an account can', async () => {
  const { kit, id, join, invite } = await makeTeam()
  const max = await join()
  const credential = { email: max.email, userId: max.userId, name: max.name, passwordHash: '', verified: true }
  await put(kit.ctx, credentials.item(credential))
  expect(await refusalOf(invite(max.email))).toMatchObject({ status: 409, code: 'already_member', field: 'email' })
  const other = await makePerson('Oto')
  await put(kit.ctx, credentials.item({ ...credential, email: other.email, userId: other.userId }))
  expect(await invite(other.email)).toMatchObject({ email: other.email })
  expect(id).toMatch(/^ws_/)
})

test('an admin can invite and withdraw only members, not other admins', async () => {
  const { id, inside, join, invite } = await makeTeam()
  const admin = await join('admin')
  const email = newAddress()
  expect(await refusalOf(invite(newAddress(), 'admin', admin))).toMatchObject({
    status: 403,
    code: 'insufficient_role',
  })
  const own = await invite(newAddress(), 'member', admin)
  const owners = await invite(email, 'admin')
  expect(await refusalOf(invite(email, 'member', admin))).toMatchObject({ status: 403, code: 'insufficient_role' })
  const revoke = (invitationId: string) => inside(admin).team.revokeInvitation({ params: { id, invitationId } })
  expect(await refusalOf(revoke(owners.id))).toMatchObject({ status: 403, code: 'insufficient_role' })
  expect(await revoke(own.id)).toEqual({ id: own.id, deleted: true })
})

test('a repeated request with its Idempotency-Key sends one email and returns the same response', async () => {
  const { kit, owner, params, inside } = await makeTeam()
  const email = newAddress()
  const once = () =>
    inside(owner).team.invite({ params, body: { email, role: 'member' }, idempotencyKey: `key of ${email}` })
  const answers = [...(await Promise.all([once(), once(), once()])), await once()]
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(kit.mail.outbox().filter(({ to }) => to.includes(email))).toHaveLength(1)
})

/** The row of an invitation that waits. */
const waiting = (workspaceId: string, n: number, nowMs: number) =>
  invitations.item({
    id: `inv_${n}`,
    workspaceId,
    email: `guest${n}@mail.test`,
    role: 'member',
    tokenHash: `hash${n}`,
    invitedBy: 'nobody',
    inviterName: 'Nobody',
    createdAt: '2029-01-01T00:00:00.000Z',
    expiresAt: new Date(nowMs + dayMs).toISOString(),
  })

test('a failed email returns an error, and repeating the request sends it', async () => {
  const { owner, params, inside } = await makeTeam()
  const max = await makePerson('Max')
  const once = () =>
    inside(owner).team.invite({ params, body: { email: max.email, role: 'member' }, idempotencyKey: max.email })
  failing.add('SendEmail')
  expect(await refusalOf(once())).toMatchObject({ status: 503, code: 'email_not_sent' })
  failing.clear()
  expect(tokenFor(max.email)).toBe('')
  await once()
  expect(tokenFor(max.email)).toMatch(/^\w{43}$/)
  expect((await inside(owner).team.listInvitations({ params })).total).toBe(1)
})

test('a workspace holds one hundred pending invitations, even when created concurrently; one more is rejected with the limit', async () => {
  const { kit, id, owner, params, inside, invite } = await makeTeam()
  await Promise.all(Array.from({ length: 95 }, (_, n) => put(kit.ctx, waiting(id, n, kit.clock.now()))))
  const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(invite(newAddress()))))
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 400, 400, 400])
  const refused = await refusalOf(invite(newAddress()))
  expect(refused).toMatchObject({ status: 400, code: 'invitation_limit' })
  const { items, total } = await inside(owner).team.listInvitations({ params, query: { limit: 2 } })
  expect(total).toBe(100)
  // Whoever waits already may be invited again.
  expect(await invite(items[0]?.email ?? '')).toMatchObject({ id: items[0]?.id })
}, 60_000)

test('a workspace holds two hundred members; one of several concurrent acceptances gets the last seat', async () => {
  const { kit, id, invite, accept, owner, inside, params } = await makeTeam()
  const guests = await Promise.all(Array.from({ length: 4 }, () => makePerson('Gus')))
  for (const { email } of guests) await invite(email)
  const membership = {
    workspaceId: id,
    role: 'member',
    status: 'active',
    createdAt: '2030-01-01T00:00:00.000Z',
  } as const
  const others = Array.from({ length: 198 }, (_, n) => members.item({ ...membership, userId: `user${n}` }))
  await Promise.all(others.map((row) => put(kit.ctx, row)))
  const answers = await Promise.allSettled(guests.map((guest) => accept(guest)))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const answer of answers) {
    if (answer.status === 'rejected') expect(answer.reason.body).toMatchObject({ code: 'member_limit' })
  }
  expect((await inside(owner).team.listMembers({ params, query: { limit: 200 } })).items).toHaveLength(200)
}, 60_000)

test.each([
  ['email', { email: 'nobody', role: 'member' }, 'must be an email address'],
  ['email', { role: 'member' }, 'is required'],
  ['role', { email: 'a@b.test', role: 'owner' }, 'must be one of admin, member'],
])('rejects an invitation with a wrong %s and states the rule', async (field, body, rule) => {
  const { owner, params, inside } = await makeTeam()
  // What the types refuse, too.
  const refused = await refusalOf(inside(owner).team.invite({ params, body: body as never }))
  expect(refused).toMatchObject({ status: 400, field })
  expect(JSON.stringify(refused)).toContain(rule)
})
