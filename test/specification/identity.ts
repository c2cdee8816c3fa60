import { dayMs } from '../../shared/time.ts'
import { makeSession, postBody } from '../support/world/preparations.ts'
import type { Check } from './check.ts'
import { date, is, list, matching, object } from './shape.ts'
import type { World } from './world.ts'

const tokenOf = ({ kit }: World, more: object = {}) =>
  kit.sessionApi.cli.createToken({ body: { name: 'short', workspaceId: kit.workspaceId, ...more } })

/** Authentication. */
const tokens: Check[] = [
  {
    route: 'POST /api/cli/tokens',
    title: 'returns a token that lists nothing but its prefix later',
    call: ({ kit }) => ({ body: { name: 'raw', workspaceId: kit.workspaceId, scopes: ['posts:read'] } }),
    data: object({ token: matching(/^svc_pat_[A-Za-z0-9]+_[A-Za-z0-9]+$/) }),
    also: async ({ body }, { kit }) => {
      const { token } = body?.['data'] as { token: string }
      return JSON.stringify(await kit.sessionApi.cli.listTokens()).includes(token) ? ['the list has the token'] : []
    },
  },
  {
    route: 'GET /api/posts',
    title: 'a token of no scopes may read by the default set',
    call: async (world) => ({ token: (await tokenOf(world, { scopes: [] })).token }),
  },
  {
    route: 'GET /api/posts',
    title: 'a token that is revoked',
    status: 401,
    call: async (world) => {
      const { id, token } = await tokenOf(world, { scopes: ['*'] })
      await world.kit.sessionApi.cli.revokeToken({ params: { id } })
      return { token }
    },
  },
  ...['GET /api/posts', 'GET /api/media', 'GET /api/memory/collections', 'GET /api/workspaces'].map(
    (route): Check => ({
      route,
      title: 'a token of the scope *',
      call: async (world) => ({ token: (await tokenOf(world, { scopes: ['*'] })).token }),
    }),
  ),
]

const sessions: Check[] = [
  {
    route: 'GET /api/auth/get-session',
    title: 'a session that has signed out',
    status: 401,
    call: async ({ kit }) => {
      const token = await makeSession(kit)
      await kit.sessionApi.auth.signOut({ token })
      return { token }
    },
  },
  {
    route: 'GET /api/auth/get-session',
    title: 'lasts about 30 days',
    data: object({ session: object({ expiresAt: date }) }),
    also: ({ body }, { kit }) => {
      const { session } = body?.['data'] as { session: { expiresAt: string } }
      const days = (Date.parse(session.expiresAt) - kit.clock.now()) / dayMs
      return days > 28 && days < 32 ? [] : [`lasts ${days} days`]
    },
  },
  {
    route: 'POST /api/auth/sign-in/email',
    title: 'a wrong password',
    status: 401,
    call: () => ({ body: { email: 'nobody@mail.test', password: 'none of hers' } }),
  },
  ...['GET /api/posts', 'GET /api/workspaces'].flatMap((route) =>
    ['', 'svc_pat_', 'svc_pat_abc_def', 'svc_ses_abc_def', 'x'.repeat(500)].map(
      (token): Check => ({
        route,
        title: `the token "${token.slice(0, 20)}"`,
        status: 401,
        call: () => ({ token }),
      }),
    ),
  ),
]

const workspaces: Check[] = [
  {
    route: 'GET /api/workspaces',
    title: 'has workspaces without a plan, with hasAccess false',
    call: async (world) => {
      await world.actors()
      return { token: world.kit.sessionToken }
    },
    also: async ({ body }, world) => {
      const { unpaid } = await world.actors()
      const all = body?.['data'] as { id: string; subscription: { hasAccess: boolean } }[]
      const workspace = all.find(({ id }) => id === unpaid.id)
      return workspace?.subscription.hasAccess === false ? [] : [JSON.stringify(workspace)]
    },
  },
  {
    route: 'GET /api/workspaces',
    title: 'names the role of the caller',
    call: () => ({}),
    data: list(object({ role: is('owner') }), { least: 1 }),
  },
]

/** Errors. Decided: what an `Idempotency-Key` is good for. */
const scheduling = (key: string, content: string) => async (world: World) => {
  const first = postBody(world.kit, 'Once')
  await world.kit.api.posts.schedule({ idempotencyKey: key, body: first })
  return { headers: { 'Idempotency-Key': key }, body: { ...first, content } }
}
const errors: Check[] = [
  {
    route: 'POST /api/posts/schedule',
    title: 'a key that came with another body',
    status: 422,
    call: scheduling('key-of-another-body', 'Twice'),
  },
  {
    route: 'POST /api/posts/schedule',
    title: 'a key that came with the same body makes no second post',
    call: scheduling('key-of-the-same-body', 'Once'),
    also: async ({ body }, { kit }) => {
      const [post] = body?.['data'] as { groupId: string }[]
      const { total } = await kit.api.posts.list({ query: { groupId: post?.groupId ?? '' } })
      return total === 2 ? [] : [`the group has ${total} posts`]
    },
  },
  ...['POST /api/posts/schedule', 'POST /api/drafts', 'POST /api/memory'].flatMap((route): Check[] => [
    { route, title: 'a body that is not JSON', status: 400, call: () => ({ rawBody: '{"content":' }) },
    { route, title: 'a body that is a list', status: 400, call: () => ({ rawBody: '[]' }) },
    { route, title: 'a body of 2 MiB', status: 413, call: () => ({ rawBody: `{"a":"${'x'.repeat(2 ** 21)}"}` }) },
  ]),
  {
    route: 'GET /api/posts',
    title: 'echoes the X-Request-Id of the caller',
    call: () => ({ headers: { 'X-Request-Id': 'spec-check-1' } }),
    headers: { 'X-Request-Id': /^spec-check-1$/ },
  },
]

export const identity: readonly Check[] = [...tokens, ...sessions, ...workspaces, ...errors]
