import fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { put } from '../../shared/db/table.ts'
import { openSession } from '../../shared/identity/open-session.ts'
import { random62 } from '../../shared/ids.ts'
import { type Member, members } from '../../shared/workspaces/workspace.ts'
import { statusOf } from '../api/answers.ts'
import { type Kit, start } from '../support/start.ts'

type Standing = Pick<Member, 'role' | 'status'>
/** What everyone is; who is not in it has gone. */
type Model = Map<number, Standing>

const acts = ['promote', 'demote', 'suspend', 'reactivate', 'remove', 'transfer', 'leave'] as const
type Act = (typeof acts)[number]

const outranks = (own: Standing, other: Standing) =>
  own.status === 'active' && (own.role === 'owner' || (own.role === 'admin' && other.role === 'member'))

/** The rules again, independent of their storage: the team after an action, or undefined if it is refused. */
const step = (team: Model, who: number, act: Act, whom: number): Model | undefined => {
  const [own, other] = [team.get(who), team.get(whom)]
  const change = (...changes: readonly [number, Standing][]) => new Map([...team, ...changes])
  if (own?.status !== 'active') return undefined
  if (act === 'leave') return own.role === 'owner' ? undefined : new Map([...team].filter(([member]) => member !== who))
  if (!other || who === whom || other.role === 'owner' || !outranks(own, other)) return undefined
  switch (act) {
    case 'suspend':
      return change([whom, { ...other, status: 'suspended' }])
    case 'reactivate':
      return change([whom, { ...other, status: 'active' }])
    case 'remove':
      return new Map([...team].filter(([member]) => member !== whom))
    case 'transfer':
      if (own.role !== 'owner' || other.status === 'suspended') return undefined
      return change([who, { ...own, role: 'admin' }], [whom, { ...other, role: 'owner' }])
    default:
      return own.role === 'owner'
        ? change([whom, { ...other, role: act === 'promote' ? 'admin' : 'member' }])
        : undefined
  }
}

const start4: readonly Standing[] = (['owner', 'admin', 'member', 'member'] as const).map((role) => {
  return { role, status: 'active' }
})

/** A workspace of four whose seats are filled as the model begins. */
const openTeam = async ({ ctx, sessionApi, user, url, sessionToken }: Kit) => {
  const { id } = await sessionApi.workspaces.create({ body: { name: 'Team', timezone: 'UTC' } })
  const userIds = [user.id, ...start4.slice(1).map(() => random62(12))]
  const createdAt = '2030-01-01T00:00:00.000Z'
  const tokens = await Promise.all(
    userIds.map(async (userId, n) => {
      const standing = start4[n]
      if (n === 0 || standing === undefined) return sessionToken
      await put(ctx, members.item({ workspaceId: id, userId, createdAt, ...standing }))
      return (await openSession(ctx, { userId, email: `${userId}@mail.test`, name: 'T', userAgent: 'test' })).token
    }),
  )
  const act = (who: number, action: Act, whom: number) => {
    const { team } = client({ baseUrl: url, token: tokens[who] ?? '', workspaceId: id })
    const [own, userId] = [{ params: { id } }, userIds[whom] ?? '']
    const other = { params: { id, userId } }
    const calls: Record<Act, () => Promise<unknown>> = {
      promote: () => team.changeRole({ ...other, body: { role: 'admin' } }),
      demote: () => team.changeRole({ ...other, body: { role: 'member' } }),
      suspend: () => team.suspend(other),
      reactivate: () => team.reactivate(other),
      remove: () => team.remove(other),
      transfer: () => team.transferOwnership({ ...own, body: { userId } }),
      leave: () => team.leave(own),
    }
    return statusOf(calls[action]())
  }
  const standing = async (): Promise<Model> => {
    const rows = await Promise.all(userIds.map((userId) => members.get(ctx, { workspaceId: id, userId })))
    return new Map(rows.flatMap((row, n) => (row ? [[n, { role: row.role, status: row.status }] as const] : [])))
  }
  return { act, standing }
}

const seat = fc.nat({ max: start4.length - 1 })

test('any sequence of actions leaves the team that the rules define, with one active owner', async () => {
  const kit = await start()
  const plan = fc.array(fc.tuple(seat, fc.constantFrom(...acts), seat), { minLength: 10, maxLength: 16 })
  await fc.assert(
    fc.asyncProperty(plan, async (steps) => {
      const { act, standing } = await openTeam(kit)
      let model: Model = new Map(start4.entries())
      for (const [who, action, whom] of steps) {
        const next = step(model, who, action, whom)
        const status = await act(who, action, whom)
        expect({ step: [who, action, whom], granted: status === 200 }).toEqual({
          step: [who, action, whom],
          granted: next !== undefined,
        })
        model = next ?? model
      }
      expect(await standing()).toEqual(model)
      const owners = [...model.values()].filter(({ role }) => role === 'owner')
      expect(owners).toEqual([{ role: 'owner', status: 'active' }])
    }),
    { numRuns: 6 },
  )
}, 60_000)
