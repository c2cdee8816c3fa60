import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { version } from '../../version.ts'
import type { ConnectedAccount } from '../account.ts'
import { type AppSecret, readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import { sendRequest, unclearResponse } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { classified, PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'
import { classifyRedditError, errorIn, noSubreddit } from './errors.ts'

/** A name as Reddit gives it, with or without `u/` before it. */
const redditName = /^(?:\/?u\/)?([\w-]{3,20})$/

/**
 * The header `User-Agent` as Reddit requires it from every caller: platform, ID of the app, version, and a responsible
 * Reddit user (Reddit API, Rules, 2026-11-21). Throws `permission` for the operator if the app names no user.
 */
export const agentOf = ({ clientId, appId = clientId, redditUser = '' }: AppSecret): string => {
  const [, name] = redditName.exec(redditUser) ?? []
  if (name !== undefined) return `server:${appId}:${version} (by /u/${name})`
  const text =
    'Reddit is not configured: the app secret has no Reddit user (`redditUser`). Contact the operator of this service.'
  throw new PlatformError('permission', text, { operator: true })
}

export const readAgent = async (ctx: Context): Promise<string> => agentOf(await readAppSecret(ctx, definition))

const maxListBytes = 2 * 1024 * 1024

export const pageSize = '100'
/** No Reddit listing goes back further than 1,000 entries, and reaching that limit proves nothing: at most 900 are read. */
export const maxPages = 9
/** How far Reddit's clock and ours may be apart. */
export const clockSkewMs = 5_000

interface RedditCall<T> {
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** A call with a form or JSON is a POST. */
  form?: Readonly<Record<string, string>> | undefined
  json?: Readonly<Record<string, unknown>> | undefined
  /** The call that makes the post public. */
  creates?: boolean
  totalMs?: number
  reply: z.ZodMiniType<T>
}

const subredditNotFound = () => classified(definition.name, noSubreddit, { httpStatus: 302 })

/** One call for an account; `raw_json` keeps Reddit from escaping its output. */
export const callReddit = async <T>(
  ctx: Context,
  account: ConnectedAccount,
  { form, json, query, reply, creates, ...request }: RedditCall<T>,
): Promise<T> => {
  const body = json ? { json } : form && { form }
  const whole = {
    ...request,
    platform: definition,
    method: body ? ('POST' as const) : ('GET' as const),
    base: baseUrlOf(ctx, definition, 'api'),
    query: { raw_json: '1', ...query },
    headers: { authorization: `bearer ${tokenOf(account)}`, 'user-agent': await readAgent(ctx) },
    maxBytes: maxListBytes,
    // A missing subreddit redirects to the search page.
    ...(body ? { body } : { accepts: [302] }),
    ...(creates ? { creates } : {}),
    classifyError: classifyRedditError,
  }
  const answer = await sendRequest(ctx, whole)
  if (answer.status === 302) throw subredditNotFound()
  const refused = errorIn(answer)
  if (refused) throw refused
  const parsed = reply.safeParse(answer.body)
  if (!parsed.success) throw unclearResponse(whole, 'unexpected response body', answer.status)
  return parsed.data
}
