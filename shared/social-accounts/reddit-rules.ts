import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { CachedQuery } from '../db/cached-response.ts'
import { described } from '../http/described.ts'
import type { Finding } from '../platforms/definition.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import { RedditMetadata, subredditName } from '../platforms/reddit/definition.ts'
import { checkRequirements } from '../platforms/reddit/requirements.ts'
import { fetchFlairs, fetchRequirements, RedditFlair, Requirements } from '../platforms/reddit/subreddit.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { findAccount } from './find.ts'
import { cachedAnswer, fetchOrCached } from './response-cache.ts'
import type { SocialAccount } from './social-account.ts'
import { withFreshCredentials } from './with-fresh-credentials.ts'

/** The flairs of a subreddit. */
export const RedditFlairs = z
  .object({
    choices: described(
      z.array(RedditFlair),
      'The flairs that the account can choose. Empty if the subreddit has none.',
    ),
  })
  .register(z.globalRegistry, { id: 'RedditFlairs', description: 'The flairs of a subreddit.' })

/** What a subreddit requires. Without its own rule, Reddit's limits apply. */
export const RedditRequirements = z
  .object({
    is_flair_required: described(z.boolean(), 'Whether posts need `metadata.reddit.flairId`.'),
    title_text_max_length: described(z.int(), 'The most characters of a title.'),
    title_text_min_length: described(z.int(), 'The fewest characters of a title.'),
  })
  .register(z.globalRegistry, {
    id: 'RedditRequirements',
    description: 'What a subreddit requires of posts. By default, the limits of Reddit.',
  })

/** The subreddit of a request, with or without `r/`. */
export const Subreddit = z
  .string()
  .check(z.regex(/^(?:\/?r\/)?(?:u_[\w-]{3,20}|\w{2,24})$/i, { error: 'must be the name of a subreddit' }))

const maxTitle = 300

interface FlairRequest {
  subreddit: string
  socialAccountId?: string | undefined
}

export const listRedditFlairs = async (
  ctx: Context,
  workspace: Workspace,
  { subreddit, socialAccountId }: FlairRequest,
): Promise<z.infer<typeof RedditFlairs>> => {
  const account = await findAccount(ctx, workspace.id, 'reddit', socialAccountId)
  const name = subredditName(subreddit)
  const { value: choices } = await cachedAnswer(ctx, workspace, account, {
    name: `flairs/${name.toLowerCase()}`,
    shape: z.array(RedditFlair),
    ask: () => withFreshCredentials(ctx, workspace, account, (connected) => fetchFlairs(ctx, connected, name)),
  })
  return { choices }
}

const aboutRules = (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  subreddit: string,
): CachedQuery<Requirements> => {
  const name = subredditName(subreddit)
  return {
    name: `rules/${name.toLowerCase()}`,
    shape: Requirements,
    ask: () => withFreshCredentials(ctx, workspace, account, (connected) => fetchRequirements(ctx, connected, name)),
  }
}

export const readRedditRequirements = async (
  ctx: Context,
  workspace: Workspace,
  { subreddit, socialAccountId }: FlairRequest,
): Promise<z.infer<typeof RedditRequirements>> => {
  const account = await findAccount(ctx, workspace.id, 'reddit', socialAccountId)
  const { value } = await cachedAnswer(ctx, workspace, account, aboutRules(ctx, workspace, account, subreddit))
  return {
    is_flair_required: value.is_flair_required,
    title_text_max_length: value.title_text_max_length ?? maxTitle,
    title_text_min_length: value.title_text_min_length ?? 0,
  }
}

/**
 * The subreddit rules that a post violates, for validation and scheduling alike; `content` is the text if the metadata has
 * none. While Reddit is unavailable and nothing is cached, it finds nothing; the publisher reports the error.
 */
export const checkRedditLive = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  { metadata, content }: { metadata: unknown; content?: string },
): Promise<Finding[]> => {
  const parsed = z.safeParse(RedditMetadata, metadata)
  // The definition reports errors of the block itself.
  if (!parsed.success) return []
  const { subreddit, body = content } = parsed.data
  try {
    const { value } = await fetchOrCached(ctx, account, aboutRules(ctx, workspace, account, subreddit))
    return checkRequirements(parsed.data, body, value)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.errorClass !== 'invalid') return []
    const next = 'Choose a subreddit that the account may post in.'
    return [{ code: 'metadata_invalid', message: `r/${subredditName(subreddit)}: ${error.message}`, next }]
  }
}
