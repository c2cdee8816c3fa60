import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { ConnectedAccount } from '../account.ts'
import { baseUrlOf } from '../base-urls.ts'
import { classified } from '../classification.ts'
import { sendRequest, unclearResponse } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { readAgent } from './agent.ts'
import { definition } from './definition.ts'
import { classifyRedditError, errorIn, noSubreddit } from './errors.ts'

const maxListBytes = 2 * 1024 * 1024

interface RedditCall<T> {
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** A form makes it a POST. */
  form?: Readonly<Record<string, string>>
  /** The call that makes the post public. */
  creates?: boolean
  totalMs?: number
  reply: z.ZodMiniType<T>
}

const subredditNotFound = () => classified(definition.name, noSubreddit, { httpStatus: 302 })

/** One call for an account; `raw_json` keeps Reddit from escaping what it shows. */
export const callReddit = async <T>(
  ctx: Context,
  account: ConnectedAccount,
  { form, query, reply, creates, ...request }: RedditCall<T>,
): Promise<T> => {
  const whole = {
    ...request,
    platform: definition,
    method: form ? ('POST' as const) : ('GET' as const),
    base: baseUrlOf(ctx, definition, 'api'),
    query: { raw_json: '1', ...query },
    headers: { authorization: `bearer ${tokenOf(account)}`, 'user-agent': await readAgent(ctx) },
    maxBytes: maxListBytes,
    // A subreddit that is not there leads to the search page.
    ...(form ? { body: { form } } : { accepts: [302] }),
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
