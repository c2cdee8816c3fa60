import { type Client, client } from '../../functions/client.ts'
import type { Item } from '../../shared/db/table.ts'
import type { Kit } from '../support/start.ts'
import { makeSignedIn } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'

export interface Person {
  userId: string
  email: string
  /** The token of their session. */
  token: string
  /** The API with their session, and the same inside a workspace. */
  api: Client
  inside(workspaceId: string): Client
}

/** A user with an account and a session. */
export const makePerson = async (kit: Kit): Promise<Person> => {
  const { email, token } = await makeSignedIn(kit)
  const inside = (workspaceId: string) => client({ baseUrl: kit.url, token, workspaceId })
  const api = client({ baseUrl: kit.url, token })
  const { user } = await api.auth.getSession()
  return { userId: user.id, email, token, api, inside }
}

/** Invites a person to a workspace, who accepts. */
export const join = async (kit: Kit, inviter: Client, workspaceId: string, { email, api }: Person): Promise<void> => {
  await inviter.team.invite({ params: { id: workspaceId }, body: { email, role: 'admin' } })
  const mail = kit.mail.outbox().findLast(({ to }) => to.includes(email))
  const [, token = ''] = /token=(\w+)/.exec(mail?.text ?? '') ?? []
  await api.team.acceptInvitation({ body: { token } })
}

/** Everything that the table still has about a person. Counters of calls expire by themselves and hold nothing but a number. */
export const tracesOfPerson = async (kit: Kit, { userId, email }: Pick<Person, 'userId' | 'email'>): Promise<Item[]> =>
  (await scanTable(kit)).filter((row) => {
    const text = JSON.stringify(row)
    const isCounter = String(row['PK']).startsWith('RL#')
    const isOver = Number(row['ttl']) * 1000 < kit.clock.now()
    return (text.includes(userId) || text.includes(email)) && !isCounter && !isOver
  })
