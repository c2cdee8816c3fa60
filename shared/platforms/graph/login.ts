import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { baseUrlOf } from '../base-urls.ts'
import { classified, commonErrors, shortDetail } from '../classification.ts'
import { type ErrorResponse, requestJson } from '../http.ts'
import type { PlatformError } from '../platform-error.ts'
import { classifyGraphError } from './errors.ts'
import type { GraphSite } from './site.ts'

/** The two error formats of Meta's token endpoints. */
const Flat = z.object({ error_message: z.string() })
const Nested = z.object({ error: z.object({ message: z.string() }) })

/** Words that are about the app and not about the person. */
const aboutApp = /client[ _](id|secret)|platform app|validating application/i

/** Classifies an error of a token endpoint while a person connects an account. */
const classifyLoginError = (site: GraphSite, answer: ErrorResponse, secrets: readonly string[]): PlatformError => {
  const { name } = site.platform
  const flat = z.safeParse(Flat, answer.body).data?.error_message
  const words = flat ?? z.safeParse(Nested, answer.body).data?.error.message ?? ''
  if (aboutApp.test(words)) {
    return classified(name, commonErrors.appRejected, { httpStatus: answer.status, detail: shortDetail(words) })
  }
  const error = classifyGraphError(site, answer, { creates: false, secrets })
  if (flat === undefined && (error.errorClass === 'rate' || error.errorClass === 'transient')) return error
  return classified(name, commonErrors.loginRejected, error.facts)
}

interface TokenRequest<T> {
  host: 'token' | 'api'
  path: string
  /** In the form or in the query, as the endpoint requires. */
  send: { form: Readonly<Record<string, string>> } | { query: Readonly<Record<string, string>> }
  reply: z.ZodMiniType<T>
}

/** Requests a token for a person who connects an account (RFC 6749, section 4.1.3). */
export const requestToken = <T>(
  ctx: Context,
  site: GraphSite,
  { host, path, send, reply }: TokenRequest<T>,
): Promise<T> => {
  const fields = 'form' in send ? send.form : send.query
  const secrets = ['client_secret', 'access_token', 'fb_exchange_token', 'code'].map((field) => fields[field] ?? '')
  return requestJson(ctx, {
    platform: site.platform,
    base: baseUrlOf(ctx, site.platform, host),
    path,
    ...('form' in send ? { method: 'POST', body: send } : { method: 'GET', query: send.query }),
    reply,
    classifyError: (answer) => classifyLoginError(site, answer, secrets),
  })
}

/** Meta appends `#_` to authorization codes. */
export const withoutCodeSuffix = (code: string): string => code.replace(/#_$/, '')
