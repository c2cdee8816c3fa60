import type { Call } from '../support/world/ask.ts'
import type { Check } from './check.ts'
import { filled, is, object, text, uri } from './shape.ts'
import { routes as specified } from './spec/routes.mjs'
import type { World } from './world.ts'

/** The specification's table: every route with who may call it (Endpoints, Authentication, Errors). */
const due = specified.map((row) => ({ ...row, route: `${row.method} ${row.path}` }))

const guarded = due.filter(({ scope }) => scope !== 'public')
const inWorkspace = due.filter(({ workspace }) => workspace)

const without = (call: Call, name: 'token' | 'workspaceId'): Call => {
  const { [name]: _, ...rest } = call
  return rest
}
const asSession = (call: Call, { kit }: World): Call => ({
  ...call,
  token: kit.sessionToken,
  workspaceId: kit.workspaceId,
})

const succeeds: Check[] = due.map(({ route, scope }) => ({
  route,
  title: `returns its status${scope && scope !== 'public' && scope !== '*' ? ` to a token of the scope ${scope} alone` : ''}`,
  change: async (call, world) =>
    scope === null || scope === 'public' ? call : { ...call, token: (await world.actors()).scoped(scope).only },
}))

const needsToken: Check[] = guarded.flatMap(({ route }): Check[] => [
  { route, title: 'without a token', status: 401, change: (call) => without(call, 'token') },
  {
    route,
    title: 'with an invalid token',
    status: 401,
    change: (call) => ({ ...call, token: 'svc_pat_none_none' }),
  },
])

const needsScope: Check[] = guarded.map(({ route, scope }) =>
  scope === null
    ? { route, title: 'a personal access token', status: 403, change: (call, { kit }) => ({ ...call, token: kit.pat }) }
    : {
        route,
        title: `a token without the scope ${scope}`,
        status: 403,
        change: async (call, world) => ({ ...call, token: (await world.actors()).scoped(scope).without }),
      },
)

const needsWorkspace: Check[] = inWorkspace.flatMap(({ route }): Check[] => [
  { route, title: 'without X-Workspace-Id', status: 400, change: (call) => without(call, 'workspaceId') },
  {
    route,
    title: 'a token bound to another workspace',
    status: 403,
    change: async (call, world) => ({ ...call, workspaceId: (await world.actors()).second.id, token: world.kit.pat }),
  },
  {
    route,
    title: 'a session of a non-member',
    status: 403,
    change: async (call, world) => ({ ...call, token: (await world.actors()).stranger.token }),
  },
  {
    route,
    title: 'a suspended member',
    status: 403,
    change: async (call, world) => ({ ...asSession(call, world), token: (await world.actors()).suspended.session }),
  },
])

const needsRole: Check[] = inWorkspace
  .filter(({ role }) => role === 'admin')
  .flatMap(({ route }): Check[] => [
    {
      route,
      title: 'a member on a route for owners and admins',
      status: 403,
      change: async (call, world) => ({ ...asSession(call, world), token: (await world.actors()).member.session }),
    },
  ])

/** Errors, status 402. */
const subscriptionRequired = object({
  success: is(false),
  error: filled,
  code: is('subscription_required'),
  httpStatus: is(402),
  billingUrl: uri,
  subscriptionStatus: text,
  workspaceSlug: text,
})

const needsPlan: Check[] = inWorkspace
  .filter(({ plan }) => plan)
  .map(({ route }) => ({
    route,
    title: 'a workspace without a paid plan',
    status: 402,
    body: subscriptionRequired,
    change: async (call, world) => ({ ...asSession(call, world), workspaceId: (await world.actors()).unpaid.id }),
  }))

export const access: readonly Check[] = [
  ...succeeds,
  ...needsToken,
  ...needsScope,
  ...needsWorkspace,
  ...needsRole,
  ...needsPlan,
]
