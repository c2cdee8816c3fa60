import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import { requestJson } from '../http.ts'
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

interface GraphCall<T> {
  token: string
  /** Below the version: `/{user}/threads`. */
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Fields make it a POST; as a form, since Threads drops fields of a JSON body (Graph API, Publishing). */
  form?: Readonly<Record<string, string>>
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

/** One call to the Graph API. The token goes in the form or the query, which nothing observes or logs. */
export const callGraph = async <T>(ctx: Context, site: GraphSite, request: GraphCall<T>): Promise<T> => {
  const { platform, version } = site
  const { token, path, params, query, form, creates = false, totalMs, reply } = request
  const proven = { access_token: token, ...(await proofOf(ctx, site, token)) }
  return requestJson(ctx, {
    platform,
    base: `${baseUrlOf(ctx, platform, 'api')}/${version}`,
    path,
    ...(params ? { params } : {}),
    ...(form
      ? { method: 'POST', body: { form: { ...form, ...proven } }, ...(query ? { query } : {}) }
      : { method: 'GET', query: { ...query, ...proven } }),
    creates,
    maxBytes: maxListBytes,
    ...(totalMs === undefined ? {} : { totalMs }),
    reply,
    classifyError: (answer) => classifyGraphError(site, answer, { creates, secrets: Object.values(proven) }),
  })
}
