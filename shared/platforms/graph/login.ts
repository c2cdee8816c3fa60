import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { baseUrlOf } from '../base-urls.ts'
import { call, type ErrorResponse, shorten } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import { sortGraph } from './errors.ts'
import type { GraphSite } from './site.ts'

/** The forms in which Meta's token doors refuse (platforms-a, 3.3). */
const Flat = z.object({ error_message: z.string() })
const Nested = z.object({ error: z.object({ message: z.string() }) })

/** Words that speak of the app and not of the person. */
const aboutApp = /client[ _](id|secret)|platform app|validating application/i

/** Sorts what a token door refuses while somebody connects. */
const sortLogin = (site: GraphSite, answer: ErrorResponse, secrets: readonly string[]): PlatformError => {
  const { name } = site.platform
  const flat = z.safeParse(Flat, answer.body).data?.error_message
  const words = flat ?? z.safeParse(Nested, answer.body).data?.error.message ?? ''
  if (aboutApp.test(words)) {
    const text = `${name} refuses the app of this service: its operator must look after it.`
    return new PlatformError('permission', text, { httpStatus: answer.status, detail: shorten(words), operator: true })
  }
  const sorted = sortGraph(site, answer, { creates: false, secrets })
  if (flat === undefined && (sorted.errorClass === 'rate' || sorted.errorClass === 'transient')) return sorted
  return new PlatformError('invalid', `${name} did not accept the login: start it again.`, sorted.facts)
}

interface TokenRequest<T> {
  door: 'token' | 'api'
  path: string
  /** In a form or in the query, as the door wants it. */
  send: { form: Readonly<Record<string, string>> } | { query: Readonly<Record<string, string>> }
  reply: z.ZodMiniType<T>
}

/** Asks a token door for a person who connects. */
export const requestToken = <T>(
  ctx: Context,
  site: GraphSite,
  { door, path, send, reply }: TokenRequest<T>,
): Promise<T> => {
  const fields = 'form' in send ? send.form : send.query
  const secrets = ['client_secret', 'access_token', 'fb_exchange_token', 'code'].map((field) => fields[field] ?? '')
  return call(ctx, {
    platform: site.platform,
    base: baseUrlOf(ctx, site.platform.id, door),
    path,
    ...('form' in send ? { method: 'POST', body: send } : { method: 'GET', query: send.query }),
    reply,
    sort: (answer) => sortLogin(site, answer, secrets),
  })
}

/** Meta hangs this on the codes it sends back (platforms-a, 3.2). */
export const withoutCodeSuffix = (code: string): string => code.replace(/#_$/, '')
