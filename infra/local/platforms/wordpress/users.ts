import { randomUUID } from 'node:crypto'
import type { Answer } from '../../pages/server.ts'
import { faceUrl } from '../face.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { refuse } from './refuse.ts'
import { type WordPressUser, wordpressSeed } from './seed.ts'

/** Users and their application passwords, which a user can delete. */
export function openUsers({ keep, url }: SimulatorContext) {
  const passwords = keep<{ uuid: string; isDeleted: boolean }>('passwords')

  function passwordOf({ username }: WordPressUser) {
    const known = passwords.get(username) ?? { uuid: randomUUID(), isDeleted: false }
    passwords.set(username, known)
    return known
  }
  function find(call: Call): WordPressUser | undefined {
    const [, basic = ''] = /^Basic (.+)$/.exec(call.headers['authorization'] ?? '') ?? []
    const [username, ...rest] = Buffer.from(basic, 'base64').toString().split(':')
    const password = rest.join(':').replace(/[^a-z\d]/gi, '')
    const user = wordpressSeed.users.find((person) => person.username === username)
    if (user === undefined || user.applicationPassword !== password) return undefined
    return passwordOf(user).isDeleted ? undefined : user
  }
  /** The user of a call; with a capability, if the user has it. */
  function userOf(call: Call): WordPressUser {
    return find(call) ?? refuse(401, 'rest_not_logged_in', 'You are not currently logged in.')
  }
  function me(call: Call): Answer {
    const { id, name, username, capabilities } = userOf(call)
    const avatar_urls = { 96: faceUrl({ url }, String(id)) }
    return { status: 200, body: { id, username, name, capabilities, avatar_urls } }
  }
  function introspect(call: Call): Answer {
    const { uuid } = passwordOf(userOf(call))
    return { status: 200, body: { uuid } }
  }
  function remove(call: Call): Answer {
    const user = userOf(call)
    const { uuid } = passwordOf(user)
    if (call.params['uuid'] !== uuid) {
      refuse(404, 'rest_application_password_not_found', 'Application password not found.')
    }
    passwords.set(user.username, { uuid, isDeleted: true })
    return { status: 200, body: { deleted: true, previous: { uuid } } }
  }
  const at = '/wp/v2/users/me'
  const routes: Route[] = [
    { method: 'GET', path: at, operation: 'me', answer: me },
    { method: 'GET', path: `${at}/application-passwords/introspect`, operation: 'introspect', answer: introspect },
    { method: 'DELETE', path: `${at}/application-passwords/:uuid`, operation: 'revoke', answer: remove },
  ]
  return { routes, find, userOf }
}
