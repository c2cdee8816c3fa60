import type { Context } from '../../../../shared/context.ts'
import { put } from '../../../../shared/db/table.ts'
import { accessTokens } from '../../../../shared/identity/access-token.ts'
import { openSession } from '../../../../shared/identity/open-session.ts'
import { scopes } from '../../../../shared/identity/scope.ts'
import { mintToken } from '../../../../shared/identity/token.ts'
import { random62 } from '../../../../shared/ids.ts'
import { createWorkspace } from '../../../../shared/workspaces/create.ts'
import { setPlan } from '../../../../shared/workspaces/plan.ts'
import { type Member, members, roles } from '../../../../shared/workspaces/workspace.ts'
import type { Kit } from '../../start.ts'
import { tester } from '../../tester.ts'
import { badTokens } from '../actors.ts'
import type { Caller, TestWorkspace } from './outcome.ts'

/** The kinds of personal access tokens that each person has for each workspace, by name. */
const scopesByKind: readonly (readonly [kind: string, scopes: readonly string[]])[] = [
  ['a token of every scope', ['*']],
  ...scopes.map((scope) => [`a token of ${scope}`, [scope]] as const),
  ...scopes.map((scope) => [`a token of all but ${scope}`, scopes.filter((candidate) => candidate !== scope)] as const),
]

/** A person with their tokens, and what they allow. */
export interface Person {
  session: Caller
  /** By the workspace they are bound to. */
  tokens: ReadonlyMap<string, readonly Caller[]>
}

export interface Callers {
  /** Workspaces with members: one with a plan, one without. */
  paid: TestWorkspace
  unpaid: TestWorkspace
  /** A workspace of the stranger only, and one that does not exist. */
  foreign: TestWorkspace
  nowhere: TestWorkspace
  persons: readonly Person[]
  /** Tokens that are invalid, and a missing token. */
  strangers: readonly Caller[]
}

const openWorkspaces = async ({ ctx, user, workspaceId }: Kit, strangerId: string) => {
  const open = (userId: string, name: string) => createWorkspace(ctx, userId, { name, timezone: 'UTC' }, tester)
  const [unpaid, foreign] = await Promise.all([open(user.id, 'Without a plan'), open(strangerId, 'Elsewhere')])
  await setPlan(ctx, unpaid.id, { status: 'canceled', planName: null, hasAccess: false })
  return {
    paid: { id: workspaceId, paid: true },
    unpaid: { id: unpaid.id, paid: false },
    foreign: { id: foreign.id, paid: true },
    nowhere: { id: 'ws_00000000000000000000000000', paid: true },
  }
}

type Standing = Pick<Member, 'role' | 'status'>

/** A token of each kind for a workspace. */
const makeTokens = (ctx: Context, userId: string, workspaceId: string) =>
  Promise.all(
    scopesByKind.map(async ([kind, grantedScopes]) => {
      const { token, tokenId: id, secretHash } = await mintToken(ctx, 'pat', userId)
      const of = { id, userId, workspaceId, name: kind, scopes: [...grantedScopes], secretHash }
      const createdAt = new Date(ctx.clock.now()).toISOString()
      await put(ctx, accessTokens.item({ ...of, createdAt, expiresAt: null, revokedAt: null }))
      return { kind, token, limits: { workspaceId, scopes: grantedScopes } }
    }),
  )

/** Gives a person their tokens; the expected outcomes are derived from these properties. */
const equip = async (
  { ctx }: Kit,
  userId: string,
  who: string,
  person: Pick<NonNullable<Caller['person']>, 'roles' | 'suspended'>,
  boundTo: readonly string[],
): Promise<Person> => {
  const { token } = await openSession(ctx, { userId, email: `${userId}@mail.test`, name: 'Cit', userAgent: 'test' })
  const tokens = new Map<string, Caller[]>()
  for (const workspaceId of boundTo) {
    const made = await makeTokens(ctx, userId, workspaceId)
    const callers = made.map(({ kind, limits, ...pat }) => ({
      name: `${who} by ${kind}`,
      token: pat.token,
      person: { ...person, limits },
    }))
    tokens.set(workspaceId, callers)
  }
  return { session: { name: `${who} by session`, token, person: { ...person, limits: undefined } }, tokens }
}

const makeMember = async (kit: Kit, homes: readonly string[], { role, status }: Standing): Promise<Person> => {
  const userId = random62(12)
  const createdAt = new Date(kit.clock.now()).toISOString()
  for (const workspaceId of homes) await put(kit.ctx, members.item({ workspaceId, userId, role, status, createdAt }))
  const suspended = status === 'suspended'
  const person = { roles: new Map(homes.map((id) => [id, role] as const)), suspended }
  return equip(kit, userId, `${suspended ? 'a suspended' : 'the'} ${role}`, person, homes)
}

const badCallers = async (kit: Kit): Promise<Caller[]> => [
  { name: 'a caller without a token', token: undefined, person: undefined },
  ...Object.entries(await badTokens(kit)).map(([name, token]) => ({
    name: `a caller with ${name}`,
    token,
    person: undefined,
  })),
]

/** Owners, admins and members, active and suspended, and a stranger: each with a session and tokens for both workspaces. */
export const makeCallers = async (kit: Kit): Promise<Callers> => {
  const strangerId = random62(12)
  const workspaces = await openWorkspaces(kit, strangerId)
  const homes = [workspaces.paid.id, workspaces.unpaid.id]
  const standings = roles.flatMap((role) => (['active', 'suspended'] as const).map((status) => ({ role, status })))
  const persons: Person[] = []
  for (const standing of standings) persons.push(await makeMember(kit, homes, standing))
  const stranger = { roles: new Map([[workspaces.foreign.id, 'owner'] as const]), suspended: false }
  persons.push(await equip(kit, strangerId, 'a non-member', stranger, homes))
  return { ...workspaces, persons, strangers: await badCallers(kit) }
}
