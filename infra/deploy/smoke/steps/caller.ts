import { assert, Failure, refusalOf, Skip } from '../outcome.ts'
import { clientOf, type Step, type World } from '../world.ts'

const headers = {
  'Strict-Transport-Security': /max-age=\d{7,}/,
  'X-Content-Type-Options': /^nosniff$/,
  'Cache-Control': /no-store/,
}

const workspaceOf = async ({ api, options }: World) => {
  const all = await api.workspaces.list()
  if (options.workspaceId !== undefined) {
    const named = all.find(({ id }) => id === options.workspaceId)
    if (named === undefined) throw new Failure(`the token sees no workspace "${options.workspaceId}"`)
    return named
  }
  const [only, ...others] = all
  if (only === undefined) throw new Failure('the token sees no workspace')
  if (others.length > 0) throw new Failure(`the token sees ${all.length} workspaces: choose one with --workspace`)
  return only
}

/** Who calls, and the common headers of every response. */
export const callerSteps: readonly Step[] = [
  {
    name: 'invalid token: 401',
    async run({ api, wire }) {
      await refusalOf(api.workspaces.list({ token: 'none' }), 401, 'unauthenticated')
      const challenge = wire.last()?.headers.get('WWW-Authenticate')
      assert(challenge?.startsWith('Bearer'), 'a 401 has no WWW-Authenticate: Bearer')
      return undefined
    },
  },
  {
    name: 'token and workspace',
    vital: true,
    async run(world) {
      const { id, name, role } = await workspaceOf(world)
      world.workspaceId = id
      world.api = clientOf(world, id)
      return `"${name}" (${id}), ${role}`
    },
  },
  {
    name: 'security headers',
    async run({ api, workspaceId, wire }) {
      await api.workspaces.get({ params: { id: workspaceId } })
      const answer = wire.last()?.headers
      const missing = Object.entries(headers).filter(([header, form]) => !form.test(answer?.get(header) ?? ''))
      assert(missing.length === 0, `missing or wrong: ${missing.map(([header]) => header).join(', ')}`)
      return undefined
    },
  },
  {
    name: 'rate limit',
    async run({ wire, api }) {
      await api.workspaces.list()
      const numberIn = (header: string) => Number(wire.last()?.headers.get(`X-RateLimit-${header}`) ?? Number.NaN)
      const [limit, remaining, reset] = [numberIn('Limit'), numberIn('Remaining'), numberIn('Reset')]
      if (Number.isNaN(limit)) throw new Skip('no X-RateLimit-Limit: this deployment sets no general limit')
      assert(remaining >= 0 && remaining < limit && reset > 0, `${remaining} of ${limit} calls left, until ${reset}`)
      return `${remaining} of ${limit} calls left`
    },
  },
  {
    name: 'quotas',
    run: async ({ api, workspaceId }) =>
      `${(await api.workspaces.listQuotas({ params: { id: workspaceId } })).quotas.length} quotas`,
  },
  {
    name: 'unknown post: 404',
    async run({ api }) {
      await refusalOf(api.posts.get({ params: { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV00' } }), 404, 'post_not_found')
      return undefined
    },
  },
  {
    name: 'unknown route: 404',
    async run({ api }) {
      const answer = await api.$raw('GET', '/api/none')
      assert(answer.status === 404, `GET /api/none answered ${answer.status}, not 404`)
      return undefined
    },
  },
  {
    name: 'invalid input: 400',
    async run({ api }) {
      const { body } = await refusalOf(api.posts.list({ query: { limit: 0 } }), 400, 'invalid_input')
      assert(body['field'] === 'limit', `the error names the field ${JSON.stringify(body['field'])}, not "limit"`)
      return undefined
    },
  },
]
