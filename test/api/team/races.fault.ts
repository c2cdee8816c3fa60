import { expect, test } from 'vitest'
import { refusalOf, statusOf } from '../answers.ts'
import { before, makePerson, makeTeam, type Person, serveFile } from './team.ts'

serveFile()

const rounds = [1, 2, 3]

/** A team of three, and what each member has come to be in the end. */
const makeThree = async () => {
  const team = await makeTeam()
  const [admin, member] = [await team.join('admin'), await team.join()]
  const { owner, inside, params, at } = team
  const transfer = (to: Person) => inside(owner).team.transferOwnership({ params, body: { userId: to.userId } })
  const leave = (person: Person) => inside(person).team.leave({ params })
  const remove = (person: Person, by: Person) => inside(by).team.remove(at(person))
  const suspend = (person: Person, by: Person) => inside(by).team.suspend(at(person))
  const demote = (person: Person) => inside(owner).team.changeRole({ ...at(person), body: { role: 'member' } })
  /** Exactly one owner, who is active: seen by whoever still gets in. */
  const assertOneOwner = async () => {
    const lists = await Promise.allSettled([owner, admin, member].map((api) => team.members(api)))
    const seen = lists.flatMap((list) => (list.status === 'fulfilled' ? [list.value] : []))
    expect(seen.length).toBeGreaterThan(0)
    for (const members of seen) {
      const owners = members.filter(({ role }) => role === 'owner')
      expect(owners.map(({ status }) => status)).toEqual(['active'])
    }
  }
  return { ...team, admin, member, transfer, leave, remove, suspend, demote, assertOneOwner }
}

test.each(rounds)('one of two concurrent transfers succeeds (round %i)', async () => {
  const { admin, member, transfer, assertOneOwner } = await makeThree()
  const statuses = await Promise.all([transfer(admin), transfer(member), transfer(admin)].map(statusOf))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  for (const status of statuses) expect([200, 403, 409]).toContain(status)
  await assertOneOwner()
})

test.each(
  rounds,
)('a member who becomes the owner cannot leave or be removed, suspended, or demoted at the same time (round %i)', async () => {
  const { admin, member, transfer, leave, remove, suspend, demote, assertOneOwner } = await makeThree()
  const calls = [
    transfer(member),
    leave(member),
    remove(member, admin),
    suspend(member, admin),
    transfer(admin),
    demote(admin),
  ]
  const statuses = await Promise.all(calls.map(statusOf))
  for (const status of statuses) expect([200, 403, 404, 409]).toContain(status)
  await assertOneOwner()
})

type Three = Awaited<ReturnType<typeof makeThree>>

/** Removes or suspends a membership that is becoming the owner's. */
const endings: Readonly<Record<string, (three: Three) => Promise<unknown>>> = {
  leaves: ({ leave, member }) => leave(member),
  'is removed': ({ remove, member, admin }) => remove(member, admin),
  'is suspended': ({ suspend, member, admin }) => suspend(member, admin),
}

test.each(
  rounds.flatMap((round) => Object.keys(endings).map((ending) => [ending, round] as const)),
)('a member who %s while becoming the owner does one or the other (round %i)', async (ending) => {
  const three = await makeThree()
  const [transferred, ended] = await Promise.all(
    [three.transfer(three.member), endings[ending]?.(three) ?? Promise.resolve()].map(statusOf),
  )
  expect([transferred, ended].filter((status) => status === 200)).toHaveLength(1)
  await three.assertOneOwner()
})

test.each(
  rounds,
)('an owner who transfers and leaves concurrently never leaves the workspace without an owner (round %i)', async () => {
  const { owner, admin, transfer, leave, assertOneOwner } = await makeThree()
  await Promise.all([transfer(admin), leave(owner), leave(owner)].map(statusOf))
  await assertOneOwner()
})

test.each(rounds)('a workspace deleted during a transfer is either gone or has one owner (round %i)', async () => {
  const { owner, admin, params, slug, inside, transfer, assertOneOwner } = await makeThree()
  const deletion = inside(owner).workspaces.delete({ params, query: { confirm: slug } })
  const [transferred, deleted] = await Promise.all([statusOf(transfer(admin)), statusOf(deletion)])
  expect([transferred, deleted]).toContain(200)
  if (deleted === 200) {
    expect(await refusalOf(inside(admin).workspaces.get({ params }))).toMatchObject({ code: 'not_a_member' })
  } else await assertOneOwner()
})

test.each(
  rounds,
)('an invitation accepted, withdrawn, and sent again concurrently ends in one state (round %i)', async () => {
  const { kit, owner, id, params, inside, invite, accept, members } = await makeTeam()
  const guest = await makePerson('Gus')
  const { id: invitationId } = await invite(guest.email)
  const { team } = inside(owner)
  const [accepted] = await Promise.all(
    [accept(guest), team.revokeInvitation({ params: { id, invitationId } }), invite(guest.email)].map(statusOf),
  )
  const pending = (await team.listInvitations({ params })).total
  const isMember = (await members()).some(({ userId }) => userId === guest.userId)
  expect(isMember).toBe(accepted === 200)
  expect(pending).toBeLessThanOrEqual(1)
  expect(kit.logged.filter((line) => line.includes('request failed'))).toEqual([])
})

const tokenOf = (id: string) => ({ body: { name: 'mine', workspaceId: id, scopes: ['*'] } })

test('a token that a member makes while they are removed does not work when they are invited again', async () => {
  const { owner, id, inside, join, invite, accept, at } = await makeTeam()
  const max = await join()
  const tokens: string[] = []
  before.set('team-remove TransactWriteItems', async () => {
    tokens.push((await max.api.cli.createToken(tokenOf(id))).token)
  })
  const remove = () => inside(owner).team.remove(at(max))
  expect(await refusalOf(remove())).toMatchObject({ status: 409, code: 'concurrent_update' })
  await remove()
  await invite(max.email)
  await accept(max)
  const [token = ''] = tokens
  expect(await statusOf(inside({ token }).posts.list())).toBe(401)
})

test('a member who is removed while they make a token gets none', async () => {
  const { owner, id, inside, join, at } = await makeTeam()
  const max = await join()
  before.set('cli-create-token TransactWriteItems', () => inside(owner).team.remove(at(max)))
  expect(await refusalOf(max.api.cli.createToken(tokenOf(id)))).toMatchObject({ status: 403, code: 'not_a_member' })
  expect(await max.api.cli.listTokens()).toEqual([])
})
