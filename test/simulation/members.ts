import type { Client } from '../../functions/client.ts'
import type { Service } from '../../infra/local/service.ts'
import { minuteMs } from '../../shared/time.ts'
import { author, writePosts } from './authors.ts'
import { pick } from './draw.ts'
import type { People } from './people.ts'
import type { Tenant } from './world.ts'

interface Life {
  service: Service
  tenant: Tenant
  name: string
}

/** Invites the guest and accepts for them; their membership is known only after a clear response. */
const join = async (people: People, { service, tenant, name }: Life, role: 'admin' | 'member'): Promise<boolean> => {
  const { guest } = tenant
  const params = { id: tenant.workspaceId }
  const body = { email: guest.email, role }
  await people.attempt(`invite ${name} as ${role}`, () => people.apiOf(tenant, 'session').team.invite({ params, body }))
  const letter = service.mail.outbox().findLast(({ to, text }) => to.includes(guest.email) && text.includes('/invite?'))
  const [, token] = /\/invite\?token=(\w+)/.exec(letter?.text ?? '') ?? []
  if (token === undefined) return false
  guest.membership = undefined
  const { status } = await people.attempt(`${name} accepts`, () =>
    people.apiWith({ token: guest.sessionToken }).team.acceptInvitation({ body: { token } }),
  )
  if (status === 200) guest.membership = role
  return status === 200
}

/** The API for the guest, who must be refused everything after a response that revoked their access. */
const apiOfGuest = (
  people: People,
  { tenant, name }: Life,
  { token = tenant.guest.sessionToken, mustFail = () => tenant.guest.membership === 'none' } = {},
): Client =>
  people.apiWith({
    workspaceId: tenant.workspaceId,
    token,
    async fetch(address, init) {
      const isOut = mustFail()
      const answer = await people.send(address, init)
      const isRefused = answer.status === 401 || answer.status === 403 || answer.status >= 500
      if (isOut && !isRefused) people.violate(`${name} may not, and was answered ${answer.status} by ${address}`)
      return answer
    },
  })

const ends = ['remove', 'remove', 'suspend', 'leave', 'demote'] as const

/** Removes the guest's membership. */
const end = async (people: People, life: Life, how: (typeof ends)[number]): Promise<void> => {
  const { tenant, name } = life
  const { guest, workspaceId: id } = tenant
  const { team } = people.apiOf(tenant, 'session')
  const params = { id, userId: guest.userId }
  // Of the guest themselves, it is the last request that may succeed.
  const own = people.apiWith({ workspaceId: id, token: guest.sessionToken }).team
  const { status, isInDoubt } = await people.attempt(`${how} ${name}`, (): Promise<object> => {
    if (how === 'remove') return team.remove({ params })
    if (how === 'suspend') return team.suspend({ params })
    return how === 'leave' ? own.leave({ params: { id } }) : team.changeRole({ params, body: { role: 'member' } })
  })
  if (status === 200) guest.membership = how === 'demote' ? 'member' : 'none'
  else if (isInDoubt) guest.membership = undefined
}

/** A user who is invited and writes, and who loses their membership at the worst moment; some are invited again. */
export const member = async (people: People, life: Life): Promise<void> => {
  const { draw, loop, attempt, endMs, expectedPosts } = people
  const { tenant, name } = life
  const { guest, workspaceId } = tenant
  await loop.wait(undefined, draw(`${name} comes`) * 2 * minuteMs)
  const role = pick(draw, `${name} role`, ['admin', 'member'] as const)
  if (!(await join(people, life, role))) return
  const session = apiOfGuest(people, life)
  const tokens: string[] = []
  const makeToken = async (action: string) => {
    const body = { name: action, workspaceId, scopes: ['*'] }
    const { body: made } = await attempt(`make ${action}`, () => session.cli.createToken({ body }))
    if (made) tokens.push(made.token)
  }
  const as = (api: Client): People => ({
    ...people,
    apiOf: (of, kind) => (of === tenant ? api : people.apiOf(of, kind)),
  })
  const endsAtMs = loop.nowMs() + draw(`${name} ends`) * 3 * minuteMs
  const aroundMs = pick(draw, `${name} around`, [20, 300, 3_000])
  const about = (action: string) => loop.wait(undefined, endsAtMs - loop.nowMs() + (draw(action) * 2 - 1) * aroundMs)
  await Promise.all([
    author(as(session), tenant, `${name} post`),
    about(`${name} makes a token`).then(() => makeToken(`token of ${name}`)),
    about(`${name} is ended`).then(() => end(people, life, pick(draw, `${name} how`, ends))),
    about(`${name} writes`).then(async () => {
      expectedPosts.push(...(await writePosts(as(session), tenant, `${name} last post`)))
    }),
    about(`${name} invites`).then(() => {
      const isRefused = () => guest.membership === 'member' || guest.membership === 'none'
      const api = apiOfGuest(people, life, { mustFail: isRefused })
      const body = { email: `friend-of-${guest.email}`, role: 'member' as const }
      return attempt(`invite a friend of ${name}`, () => api.team.invite({ params: { id: workspaceId }, body }))
    }),
  ])
  if (guest.membership !== 'none' || loop.nowMs() > endMs || draw(`${name} comes back`) < 0.5) return
  // No request that ended the membership is running anymore.
  await loop.wait(undefined, minuteMs)
  if (!(await join(people, life, 'member'))) return
  for (const token of tokens) {
    const api = apiOfGuest(people, life, { token, mustFail: () => true })
    await attempt(`${name} uses an old token`, () => api.posts.list())
  }
}
