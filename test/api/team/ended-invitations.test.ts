import { expect, test } from 'vitest'
import { browserOf } from '../../pages/test-browser.ts'
import { refusalOf } from '../answers.ts'
import { makePerson, makeTeam, serveFile, tokenFor } from './team.ts'

serveFile()

type Team = Awaited<ReturnType<typeof makeTeam>>
type Person = Awaited<ReturnType<typeof makePerson>>

/** An admin who has invited a user, and what ends that right. */
const waysToLoseIt: Readonly<Record<string, (team: Team, admin: Person) => Promise<unknown>>> = {
  'was removed': ({ inside, owner, at }, admin) => inside(owner).team.remove(at(admin)),
  'was suspended': ({ inside, owner, at }, admin) => inside(owner).team.suspend(at(admin)),
  'became a member': ({ inside, owner, at }, admin) =>
    inside(owner).team.changeRole({ ...at(admin), body: { role: 'member' } }),
  'has left': ({ inside, params }, admin) => inside(admin).team.leave({ params }),
}

const inviteByAdmin = async () => {
  const team = await makeTeam()
  const [admin, guest] = [await team.join('admin'), await makePerson('Gus')]
  const made = await team.invite(guest.email, 'member', admin)
  const listed = async () => (await team.inside(team.owner).team.listInvitations({ params: team.params })).items
  return { team, admin, guest, made, listed }
}

test.each(Object.keys(waysToLoseIt))('the invitation of an admin who %s is no longer valid', async (way) => {
  const { team, admin, guest, made, listed } = await inviteByAdmin()
  expect(made.acceptable).toBe(true)
  expect(await listed()).toEqual([made])
  await waysToLoseIt[way]?.(team, admin)
  expect(await refusalOf(team.accept(guest))).toMatchObject({ status: 400, code: 'invitation_void', field: 'token' })
  expect(await team.roleOf(guest)).toBeUndefined()
  expect(await listed()).toEqual([{ ...made, acceptable: false }])
  const seen = await browserOf(team.kit, guest.token).open(`/invite?token=${tokenFor(guest.email)}`)
  expect([seen.status, seen.text]).toEqual([400, expect.stringContaining('can no longer invite')])
  // Whoever may invite the address sends a new one.
  await team.invite(guest.email)
  expect(await team.accept(guest)).toMatchObject({ role: 'member' })
})

test("an ownership transfer ends the owner's invitations of admins and keeps those of members", async () => {
  const { inside, owner, join, invite, accept, params, at } = await makeTeam()
  const [next, admin, member] = [await join('admin'), await makePerson('Ada'), await makePerson('Mo')]
  await invite(admin.email, 'admin')
  await invite(member.email, 'member')
  await inside(owner).team.transferOwnership({ params, body: { userId: at(next).params.userId } })
  expect(await refusalOf(accept(admin))).toMatchObject({ status: 400, code: 'invitation_void' })
  expect(await accept(member)).toMatchObject({ role: 'member' })
})

test('an admin who left and rejoined does not get their earlier invitations back', async () => {
  const { team, admin, guest } = await inviteByAdmin()
  team.kit.clock.pass(1_000)
  await team.inside(team.owner).team.remove(team.at(admin))
  await team.invite(admin.email, 'admin')
  await team.accept(admin)
  expect(await refusalOf(team.accept(guest))).toMatchObject({ code: 'invitation_void' })
})

test('an admin who was suspended and reactivated has their invitations back', async () => {
  const { team, admin, guest, listed, made } = await inviteByAdmin()
  await team.inside(team.owner).team.suspend(team.at(admin))
  await team.inside(team.owner).team.reactivate(team.at(admin))
  expect(await listed()).toEqual([made])
  expect(await team.accept(guest)).toMatchObject({ role: 'member' })
})

test('an acceptance that comes second to a concurrent removal is rejected', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { team, admin, guest } = await inviteByAdmin()
    const [accepted] = await Promise.allSettled([
      team.accept(guest),
      team.inside(team.owner).team.remove(team.at(admin)),
    ])
    const role = await team.roleOf(guest)
    expect(role).toBe(accepted.status === 'fulfilled' ? 'member' : undefined)
    expect(await team.roleOf(admin)).toBeUndefined()
  }
})
