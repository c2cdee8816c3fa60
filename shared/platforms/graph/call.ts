import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import { requestJson } from '../http.ts'
import { classified, commonErrors, PlatformError } from '../platform-error.ts'
import { classifyGraphError } from './errors.ts'
import type { GraphSite } from './site.ts'

/** How a list of the Graph API goes on. */
export const Paging = z.optional(
  z.object({
    cursors: z.optional(z.object({ after: z.optional(z.string()) })),
    next: z.optional(z.string()),
  }),
)

/**
 * The cursor of the next page; a list ends where `next` is missing, however long the page (Graph API, Paginated
 * Results).
 */
export const nextPage = (paging: z.infer<typeof Paging>): string | undefined =>
  paging?.next === undefined
    ? undefined
    : (paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get('after') ?? undefined)

/** Largest list that is read: the latest posts with their texts. */
const maxListBytes = 4 * 1024 * 1024

type OwnCall = Pick<GraphCall<unknown>, 'token' | 'path' | 'params'>

interface GraphCall<T> {
  token: string
  /** Below the version: `/{user}/threads`. */
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Fields make it a POST; as a form, since Threads drops fields of a JSON body (Graph API, Publishing). */
  form?: Readonly<Record<string, string>>
  method?: 'DELETE'
  creates?: boolean
  totalMs?: number
  reply: z.ZodMiniType<T>
}

/** HMAC-SHA256 of the token under the app's secret, in hex (Graph API, Securing Requests). */
const proofOf = async (ctx: Context, { platform, appSecretProof }: GraphSite, token: string) => {
  if (!appSecretProof) return {}
  const { clientSecret } = await readAppSecret(ctx, platform)
  return { appsecret_proof: createHmac('sha256', clientSecret).update(token).digest('hex') }
}

/** Code 100 with subcode 33: the object does not exist, or the token may not see it (Graph API, Handling Errors, v25.0). */
export const notVisible = '100/33'

/**
 * An error that may mean the account or something that the call named. A token that no longer sees its own account has lost
 * its role there.
 */
const refined = async (ctx: Context, site: GraphSite, { token, path, params }: OwnCall, error: unknown) => {
  const [, name = ''] = /^\/\{(page|user)\}\/./.exec(path) ?? []
  const id = params?.[name]
  if (!(error instanceof PlatformError) || error.info.code !== notVisible || id === undefined) return error
  const own = { token, path: `/{${name}}`, params: { [name]: id }, query: { fields: 'id' }, reply: z.unknown() }
  const seen = await callGraph(ctx, site, own).catch((again: unknown) => again)
  if (!(seen instanceof PlatformError) || seen.info.code !== notVisible) return error
  return classified(site.platform.name, commonErrors.roleLost, error.info)
}

/** One call to the Graph API. The token goes in the form or the query, which nothing observes or logs. */
export const callGraph = async <T>(ctx: Context, site: GraphSite, request: GraphCall<T>): Promise<T> => {
  const { platform, version } = site
  const { token, path, params, query, form, method = 'GET', creates = false, totalMs, reply } = request
  const proven = { access_token: token, ...(await proofOf(ctx, site, token)) }
  return requestJson(ctx, {
    platform,
    base: `${baseUrlOf(ctx, platform, 'api')}/${version}`,
    path,
    ...(params ? { params } : {}),
    ...(form
      ? { method: 'POST', body: { form: { ...form, ...proven } }, ...(query ? { query } : {}) }
      : { method, query: { ...query, ...proven } }),
    creates,
    maxBytes: maxListBytes,
    ...(totalMs === undefined ? {} : { totalMs }),
    reply,
    classifyError: (answer) => classifyGraphError(site, answer, { creates, secrets: Object.values(proven) }),
  }).catch(async (error: unknown) => {
    throw await refined(ctx, site, request, error)
  })
}
