import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { described } from '../../http/described.ts'
import type { ConnectedAccount } from '../account.ts'
import { PlatformError } from '../platform-error.ts'
import { callReddit } from './api.ts'

/** A flair for posts. */
export const RedditFlair = z
  .object({
    id: described(z.string(), 'The ID of the flair. Send it as `metadata.reddit.flairId`.'),
    text: described(z.string(), 'The text of the flair.'),
    textEditable: described(z.boolean(), 'Whether `metadata.reddit.flairText` can replace the text.'),
  })
  .register(z.globalRegistry, { id: 'RedditFlair', description: 'A flair that a post can have.' })
export type RedditFlair = z.infer<typeof RedditFlair>

const Listed = z.array(
  z.object({
    id: z.string(),
    text: z.optional(z.nullable(z.string())),
    text_editable: z.optional(z.boolean()),
    mod_only: z.optional(z.boolean()),
  }),
)
const Selector = z.object({
  choices: z.array(
    z.object({
      flair_template_id: z.string(),
      flair_text: z.optional(z.nullable(z.string())),
      flair_text_editable: z.optional(z.boolean()),
    }),
  ),
})

/** A caller of the API waits for this. */
const totalMs = 5_000

const forbidden = (error: unknown) => error instanceof PlatformError && error.info.httpStatus === 403

/** The options of the new-post page, for subreddits that do not list their flairs; empty if there are none. */
const fetchOffered = async (ctx: Context, account: ConnectedAccount, subreddit: string): Promise<RedditFlair[]> => {
  const path = '/r/{subreddit}/api/flairselector'
  const request = { path, params: { subreddit }, form: { is_newlink: 'true' }, totalMs, reply: Selector }
  const { choices } = await callReddit(ctx, account, request).catch((error: unknown) => {
    if (forbidden(error)) return { choices: [] }
    throw error
  })
  return choices.map(({ flair_template_id: id, flair_text, flair_text_editable: textEditable = false }) => ({
    id,
    text: flair_text ?? '',
    textEditable,
  }))
}

/** The flairs of a subreddit that are not reserved for its moderators. */
export const fetchFlairs = async (
  ctx: Context,
  account: ConnectedAccount,
  subreddit: string,
): Promise<RedditFlair[]> => {
  const path = '/r/{subreddit}/api/link_flair_v2'
  try {
    const listed = await callReddit(ctx, account, { path, params: { subreddit }, totalMs, reply: Listed })
    return listed.flatMap(({ id, text, text_editable: textEditable = false, mod_only }) =>
      mod_only ? [] : [{ id, text: text ?? '', textEditable }],
    )
  } catch (error) {
    if (!forbidden(error)) throw error
    return fetchOffered(ctx, account, subreddit)
  }
}

const length = z.optional(z.nullable(z.int()))
const patterns = z.optional(z.nullable(z.array(z.string())))

/** The post requirements of a subreddit, as far as they are checked. */
export const Requirements = z.object({
  is_flair_required: z.boolean(),
  title_text_min_length: length,
  title_text_max_length: length,
  title_required_strings: patterns,
  title_blacklisted_strings: patterns,
  body_restriction_policy: z.optional(z.nullable(z.string())),
  body_text_min_length: length,
  body_text_max_length: length,
  body_required_strings: patterns,
  body_blacklisted_strings: patterns,
  link_restriction_policy: z.optional(z.nullable(z.string())),
  domain_whitelist: patterns,
  domain_blacklist: patterns,
})
export type Requirements = z.infer<typeof Requirements>

export const fetchRequirements = (ctx: Context, account: ConnectedAccount, subreddit: string): Promise<Requirements> =>
  callReddit(ctx, account, {
    path: '/api/v1/{subreddit}/post_requirements',
    params: { subreddit },
    totalMs,
    reply: Requirements,
  })
