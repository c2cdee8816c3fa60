import { put, update } from '../../../shared/db/table.ts'
import { accessTokens, rowIdOf } from '../../../shared/identity/access-token.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { scopes } from '../../../shared/identity/scope.ts'
import { sessions } from '../../../shared/identity/session.ts'
import { mintToken } from '../../../shared/identity/token.ts'
import { random62 } from '../../../shared/ids.ts'
import { createWorkspace } from '../../../shared/workspaces/create.ts'
import { createAccessToken } from '../../../shared/workspaces/create-access-token.ts'
import { setPlan } from '../../../shared/workspaces/plan.ts'
import { type Member, members } from '../../../shared/workspaces/workspace.ts'
import type { Kit } from '../start.ts'
import { tester } from '../tester.ts'

/** A member of the seed's workspace, with a session and a personal access token. */
const join = async ({ ctx, workspaceId, clock }: Kit, role: Member['role'], status: Member['status']) => {
  const userId = random62(12)
  const createdAt = new Date(clock.now()).toISOString()
  const membership = { workspaceId, userId, role, createdAt }
  await put(ctx, members.item({ ...membership, status: 'active' }))
  const person = { userId, email: `${userId}@mail.test`, name: 'Bea', userAgent: 'test' }
  const { token: session } = await openSession(ctx, person)
  const tokenInput = { name: 'all', workspaceId, scopes: ['*'] }
  const { token: pat } = await createAccessToken(ctx, userId, tokenInput, tester)
  await put(ctx, members.item({ ...membership, status }))
  return { session, pat }
}

/** Tokens that are no longer valid or never were. */
export const badTokens = async ({ ctx, user, workspaceId, sessionToken, clock }: Kit) => {
  const past = { expiresAt: new Date(clock.now()).toISOString() }
  const makePat = () => createAccessToken(ctx, user.id, { name: 'bad', workspaceId, scopes: ['*'] }, tester)
  const change = async (publicId: string, set: object) => {
    const key = { userId: user.id, id: rowIdOf(user.id, publicId) ?? '' }
    await update(ctx, accessTokens.key(key), { set: { ...set } })
  }
  const [expired, revoked] = [await makePat(), await makePat()]
  await change(expired.id, past)
  await change(revoked.id, { revokedAt: past.expiresAt })
  const ended = await openSession(ctx, { userId: user.id, email: user.email, name: user.name, userAgent: 'test' })
  await update(ctx, sessions.key(ended.session), { set: past })
  return {
    garbage: 'not a token of ours',
    wrongCheck: `${sessionToken.slice(0, -1)}${sessionToken.endsWith('a') ? 'b' : 'a'}`,
    unknownPat: (await mintToken(ctx, 'pat', user.id)).token,
    unknownSession: (await mintToken(ctx, 'ses', user.id)).token,
    expiredPat: expired.token,
    expiredSession: ended.token,
    revokedPat: revoked.token,
  }
}

/** Two more workspaces of the seed's person: one like the first, one without a plan. */
const openWorkspaces = async ({ ctx, user }: Kit) => {
  const open = (name: string) => createWorkspace(ctx, user.id, { name, timezone: 'UTC' }, tester)
  const [second, unpaid] = [await open('Second'), await open('Unpaid & gone')]
  const subscription = { status: 'canceled', planName: null, hasAccess: false, accessMessage: 'The plan has ended.' }
  await setPlan(ctx, unpaid.id, subscription)
  const tokenInput = { name: 'all', workspaceId: unpaid.id, scopes: ['*'] }
  const { token: pat } = await createAccessToken(ctx, user.id, tokenInput, tester)
  return { second, unpaid: { ...unpaid, subscription, pat } }
}

/** The scopes that some routes accept instead of another one. */
const alternatives: Readonly<Record<string, readonly string[]>> = { 'workspace:read': ['accounts:read'] }

/** For each scope a token that has all the others, and one with that scope alone. */
const scopedTokens = async ({ ctx, user, workspaceId }: Kit) => {
  const make = async (name: string, tokenInput: readonly string[]) =>
    (await createAccessToken(ctx, user.id, { name, workspaceId, scopes: [...tokenInput] }, tester)).token
  const tokens = new Map<string, { without: string; only: string }>()
  for (const scope of scopes) {
    const others = scopes.filter((candidate) => candidate !== scope && !alternatives[scope]?.includes(candidate))
    tokens.set(scope, { without: await make(`all but ${scope}`, others), only: await make(scope, [scope]) })
  }
  return (scope: string) => {
    const token = tokens.get(scope)
    if (token === undefined) throw new Error(`there is no token for the scope ${scope}`)
    return token
  }
}

/** All kinds of callers of a route. */
export const makeActors = async (kit: Kit) => ({
  admin: await join(kit, 'admin', 'active'),
  member: await join(kit, 'member', 'active'),
  suspended: await join(kit, 'owner', 'suspended'),
  /** Known to the service, a stranger to the seed's workspace. */
  stranger: await openSession(kit.ctx, { userId: random62(12), email: 's@mail.test', name: 'Sam', userAgent: 'test' }),
  bad: await badTokens(kit),
  scoped: await scopedTokens(kit),
  ...(await openWorkspaces(kit)),
})
export type Actors = Awaited<ReturnType<typeof makeActors>>
