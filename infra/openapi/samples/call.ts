import type { Route } from '../../../functions/routes.ts'
import { takesIdempotencyKey } from '../errors-of.ts'
import { story } from '../examples/story.ts'
import { exampleOf } from '../examples.ts'

/** What a code sample does, independent of a language. */
export interface SampledCall {
  operation: string
  method: string
  /** From `/api` on, with its query; `$WORKSPACE` stands for the ID of the workspace. */
  path: string
  /** The environment variable that holds the token. */
  token: 'TOKEN' | 'SESSION' | null
  workspace: boolean
  idempotent: boolean
  body?: unknown
  /** The arguments of the client's method: the IDs of the path, then the body or the query. */
  args: readonly unknown[]
}

/** The operations that are not called from code: pages for people, and what Stripe and the platforms call. */
const uncoded = new Set([
  'billing.stripeWebhook',
  'meta.docs',
  'meta.docsViewer',
  'meta.errorCode',
  'socialAccounts.callback',
  'workspaces.downloadExport',
])

const idsOf = (path: string, params: Readonly<Record<string, string>>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const value = params[name] ?? ''
    return value === story.workspace ? '$WORKSPACE' : value
  })

const filled = (path: string, ids: readonly string[]): string => {
  const left = ids.values()
  return path.replace(/\{\w+\}/g, () => {
    const id = left.next().value ?? ''
    return id === '$WORKSPACE' ? id : encodeURIComponent(id)
  })
}

/** The call in the samples of an operation; undefined if there are none. */
export const sampledCall = (route: Route): SampledCall | undefined => {
  const { contract } = route.endpoint
  if (uncoded.has(route.operation)) return undefined
  const { params = {}, query, request } = exampleOf(route.operation)
  const { access } = contract
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)])),
  )
  const ids = idsOf(contract.path, params)
  const payload = contract.body === undefined ? query : request
  return {
    operation: route.operation,
    method: contract.method,
    path: filled(contract.path, ids) + (search.size === 0 ? '' : `?${search}`),
    token: access.kind === 'anyone' ? null : access.scope === null ? 'SESSION' : 'TOKEN',
    workspace: access.kind === 'workspace',
    idempotent: takesIdempotencyKey(contract),
    ...(request === undefined ? {} : { body: request }),
    args: payload === undefined ? ids : [...ids, payload],
  }
}
