import { join, makePerson } from '../../deletion/people.ts'
import type { Kit } from '../start.ts'
import { password } from './preparations.ts'

/** The deletion of an account that has a private collection in a workspace of others. */
export const deleteMember = async (kit: Kit): Promise<void> => {
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  await person.inside(kit.workspaceId).memory.createCollection({ body: { name: 'Diary', isPrivate: true } })
  await person.api.auth.deleteAccount({ body: { password } })
  await kit.service.drain()
}
