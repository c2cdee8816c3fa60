import { afterAll, beforeAll } from 'vitest'
import { type Client, client } from '../../../functions/client.ts'
import { put } from '../../../shared/db/table.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { users } from '../../../shared/identity/user.ts'
import { random62 } from '../../../shared/ids.ts'
import { type Kit, start } from '../../support/start.ts'

/** Actions that fail as long as they are named here. */
export const failing = new Set<string>()

/** What happens just before an effect of a function, once. */
export const before = new Map<string, () => Promise<unknown>>()

let kit: Kit

/** Starts one service for all tests of a file, which calls this at its top. */
export function serveFile(): void {
  beforeAll(async () => {
    kit = await start({
      async observe({ functionName, action }, run) {
        if (failing.has(action)) throw new Error(`${action} fails`)
        const name = `${functionName} ${action}`
        const act = before.get(name)
        before.delete(name)
        await act?.()
        return run()
      },
    })
  })
  afterAll(() => kit.close())
}

/** A user with an account, a session, and an API client. */
export const makePerson = async (name = 'Ann', email = `${random62(12).toLowerCase()}@mail.test`) => {
  const { ctx, clock, url } = kit
  const userId = random62(12)
  await put(ctx, users.item({ id: userId, email, name, createdAt: new Date(clock.now()).toISOString() }))
  const { token } = await openSession(ctx, { userId, email, name, userAgent: 'test' })
  return { userId, email, name, token, api: client({ baseUrl: url, token }) }
}
export type Person = Awaited<ReturnType<typeof makePerson>>

/** The token of the newest invitation sent to an address. */
export const tokenFor = (email: string): string => {
  const letter = kit.mail.outbox().findLast(({ to }) => to.includes(email))
  return /\/invite\?token=(\w+)/.exec(letter?.text ?? '')?.[1] ?? ''
}

/** The workspace of a new user, and the members they invite by email. */
export const makeTeam = async () => {
  const owner = await makePerson('Olga')
  const { id, slug } = await owner.api.workspaces.create({ body: { name: 'Acme', timezone: 'UTC' } })
  const params = { id }
  /** The API client of a user inside this workspace. */
  const inside = ({ token }: Pick<Person, 'token'>): Client => client({ baseUrl: kit.url, token, workspaceId: id })
  const invite = (email: string, role: 'admin' | 'member' = 'member', by: Person = owner) =>
    inside(by).team.invite({ params, body: { email, role } })
  const accept = (person: Person, token = tokenFor(person.email)) =>
    person.api.team.acceptInvitation({ body: { token } })
  const join = async (role: 'admin' | 'member' = 'member', name = 'Max') => {
    const person = await makePerson(name)
    await invite(person.email, role)
    await accept(person)
    return person
  }
  const members = async (by: Person = owner) => (await inside(by).team.listMembers({ params })).items
  const roleOf = async ({ userId }: Person, by: Person = owner) =>
    (await members(by)).find((member) => member.userId === userId)?.role
  /** The path of a route about one member. */
  const at = ({ userId }: Pick<Person, 'userId'>) => ({ params: { id, userId } })
  return { kit, owner, id, slug, params, inside, invite, accept, join, members, roleOf, at }
}
