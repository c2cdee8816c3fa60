import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import { requestJson } from '../http.ts'
import { type FormPart, multipart } from '../multipart.ts'
import { classified, commonErrors, PlatformError } from '../platform-error.ts'
import { classifyGraphError } from './errors.ts'
import type { GraphSite } from './site.ts'

/** How a list of the Graph API continues. */
export const Paging = z.optional(
  z.object({
    cursors: z.optional(z.object({ after: z.optional(z.string()) })),
    next: z.optional(z.string()),
  }),
)

/** The cursor of the next page; a list ends if `next` is missing, however long the page (Graph API, Paginated Results). */
export const nextPage = (paging: z.infer<typeof Paging>): string | undefined =>
  paging?.next === undefined
    ? undefined
    : (paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get('after') ?? undefined)

/** Largest list that is read: the latest posts with their texts. */
const maxListBytes = 4 * 1024 * 1024

interface GraphCall<T> {
  token: string
  /** Below the version: `/{user}/threads`. */
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** A call with fields is a POST; as a form, since Threads drops fields of a JSON body (Graph API, Publishing). */
  form?: Readonly<Record<string, string>>
  /** A call with a file is a POST, too. */
  file?: FormPart
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
const notVisible = '100/33'

export const isNotVisible = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.info.code === notVisible

/**
 * Why the account is not visible, after a call that could not see something; undefined if it is. A token that no longer sees
 * its account has lost its role there.
 */
export const accountError = async (
  ctx: Context,
  site: GraphSite,
  { token, id, error }: { token: string; id: string; error: PlatformError },
): Promise<unknown> => {
  const own = { token, path: '/{account}', params: { account: id }, query: { fields: 'id' }, reply: z.unknown() }
  const why = await callGraph(ctx, site, own).then(
    () => undefined,
    (again: unknown) => again,
  )
  return isNotVisible(why) ? classified(site.platform.name, commonErrors.roleLost, error.info) : why
}

/** An error of a call on the path of an account, which may mean the account or something that the call named. */
const refined = async (
  ctx: Context,
  site: GraphSite,
  { token, path, params }: Pick<GraphCall<unknown>, 'token' | 'path' | 'params'>,
  error: unknown,
) => {
  const [, name = ''] = /^\/\{(page|user)\}\/./.exec(path) ?? []
  const id = params?.[name]
  if (!isNotVisible(error) || id === undefined) return error
  return (await accountError(ctx, site, { token, id, error })) ?? error
}

/** One call to the Graph API. The token is sent in the form or the query, which nothing observes or logs. */
export const callGraph = async <T>(ctx: Context, site: GraphSite, request: GraphCall<T>): Promise<T> => {
  const { platform, version } = site
  const { token, path, params, query, form, file, method = 'GET', creates = false, totalMs, reply } = request
  const proven = { access_token: token, ...(await proofOf(ctx, site, token)) }
  return requestJson(ctx, {
    platform,
    base: `${baseUrlOf(ctx, platform, 'api')}/${version}`,
    path,
    ...(params ? { params } : {}),
    ...(form
      ? { method: 'POST', body: { form: { ...form, ...proven } }, ...(query ? { query } : {}) }
      : { method: file ? 'POST' : method, query: { ...query, ...proven } }),
    ...(file ? { body: multipart([file]) } : {}),
    creates,
    maxBytes: maxListBytes,
    ...(totalMs === undefined ? {} : { totalMs }),
    reply,
    classifyError: (answer) => classifyGraphError(site, answer, { creates, secrets: Object.values(proven) }),
  }).catch(async (error: unknown) => {
    throw await refined(ctx, site, request, error)
  })
}
