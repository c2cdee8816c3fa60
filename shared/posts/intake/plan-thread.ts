import type { Context } from '../../context.ts'
import type { Key } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { maxImports } from '../../media/imports/source-address.ts'
import { definitionOf, definitions } from '../../platforms/definitions.ts'
import { withServerLimits } from '../../social-accounts/check-live.ts'
import { type SocialAccount, socialAccounts } from '../../social-accounts/social-account.ts'
import { capExceeded, capKey, capOf, countOnX, monthOf, usedOf } from '../x-cap.ts'
import { type Plan, type PlanContext, type PlannedImports, planAccounts, requestKeys } from './plan.ts'
import { recentTextKeys } from './recent-text.ts'
import type { PostRequest } from './requests.ts'
import { threadPlatforms } from './thread-platforms.ts'
import type { ThreadRequest } from './thread-request.ts'

/** The metadata of a post that is not the first of its thread. */
const withoutFirstOnly = (metadata: ThreadRequest['metadata'] = {}) =>
  Object.fromEntries(
    Object.entries(metadata).map(([platform, block]) => {
      const fields = definitions.find(({ id }) => id === platform)?.rules.metadata?.firstOnly ?? []
      if (typeof block !== 'object' || block === null) return [platform, block]
      return [platform, Object.fromEntries(Object.entries(block).filter(([field]) => !fields.includes(field)))]
    }),
  )

const asPost = ({ socialAccountId, metadata }: ThreadRequest, tweet: ThreadRequest['tweets'][number]): PostRequest => ({
  socialAccountIds: [socialAccountId],
  content: tweet.content,
  ...(metadata === undefined ? {} : { metadata }),
  ...(tweet.mediaUrls === undefined ? {} : { mediaUrls: tweet.mediaUrls }),
})

/** The rows that a thread names, read together with the authorization. */
export const threadKeys = ({
  ctx,
  workspaceId,
  body,
}: {
  ctx: Context
  workspaceId: string
  body: ThreadRequest & { scheduledAt?: string }
}): Key[] => {
  const mediaUrls = body.tweets.flatMap((tweet) => tweet.mediaUrls ?? [])
  const { scheduledAt } = body
  const whole = { socialAccountIds: [body.socialAccountId], content: '', mediaUrls, scheduledAt }
  const texts = body.tweets.flatMap((tweet) => recentTextKeys(workspaceId, asPost(body, tweet)))
  return [...requestKeys({ ctx, workspaceId, body: whole }), ...texts]
}

/** The errors of accepting a thread: the rules of the platforms that have threads. */
export const threadErrors = [
  'account_not_found',
  'account_disconnected',
  'threads_not_supported',
  'content_length',
  'content_empty',
  'cashtag_limit',
  'metadata_invalid',
  'media_not_found',
  'media_url_invalid',
  'media_count',
  'media_type',
  'media_size',
  'media_dimensions',
  'media_duration',
  'media_encoding',
  'group_too_large',
  'x_cap_exceeded',
  'first_comment_not_supported',
] as const

/** The account of a thread, with the limits of its server; undefined if there is no such account. */
const accountOf = async ({ ctx, workspace, rows }: PlanContext, id: string): Promise<SocialAccount | undefined> => {
  const account = socialAccounts.from(rows, { workspaceId: workspace.id, id })
  if (account === undefined) return undefined
  if (definitionOf(account.platform).threads) return withServerLimits(ctx, account)
  const names = new Intl.ListFormat('en').format(threadPlatforms)
  const text = `Only ${names} support threads. ${id} is an account of ${account.providerName}.`
  throw new Refusal('invalid', text, { code: 'threads_not_supported', field: 'socialAccountId' })
}

const tooManyAddresses = (count: number): Refusal =>
  new Refusal('invalid', `The thread has ${count} addresses. Send at most ${maxImports}, or upload the files.`, {
    code: 'media_url_invalid',
    field: 'tweets',
  })

/**
 * The findings about the tweets, each with the position of its tweet. One that all tweets share is about the account or the
 * metadata: it is reported once, without a position, as is one about the first comment.
 */
const placed = <Finding extends { field?: string | undefined; message: string }>(
  byTweet: readonly (readonly Finding[])[],
): Finding[] =>
  byTweet.flatMap((own, n) =>
    own.flatMap((finding) => {
      const { field, message } = finding
      if (field?.startsWith('firstComment')) return [finding]
      const named = { ...finding, message: `tweets.${n}: ${message}` }
      if (field === 'content' || field?.startsWith('mediaUrls')) return [{ ...named, field: `tweets.${n}.${field}` }]
      const isShared = byTweet.every((each) => each.some((other) => other.field === field && other.message === message))
      if (isShared) return n === 0 ? [finding] : []
      return [named]
    }),
  )

/** Plans a thread tweet by tweet, each by the rules of a post; it is accepted as a whole or not at all. */
export const planThread = async (around: PlanContext, request: ThreadRequest): Promise<Plan> => {
  const account = await accountOf(around, request.socialAccountId)
  const imports: PlannedImports = new Map()
  const plans = await Promise.all(
    request.tweets.map((tweet, n) => {
      const post = asPost(n === 0 ? request : { ...request, metadata: withoutFirstOnly(request.metadata) }, tweet)
      const isLast = n === request.tweets.length - 1
      const comment = isLast && request.firstComment !== undefined ? { firstComment: request.firstComment } : {}
      return planAccounts({ ...around, imports, account }, { ...post, ...comment })
    }),
  )
  if (imports.size > maxImports) throw tooManyAddresses(imports.size)
  const issues = placed(plans.map((plan) => plan.issues))
  const warnings = placed(plans.map((plan) => plan.warnings))
  const { workspace, rows, momentMs } = around
  const used = usedOf(workspace, rows.item(capKey(workspace.id, monthOf(momentMs))))
  const isOverCap =
    account !== undefined &&
    definitionOf(account.platform).hasMonthlyCap &&
    used + countOnX(plans.flatMap(({ posts }) => posts)) > capOf(workspace)
  if (issues.length === 0 && isOverCap) throw capExceeded()
  const [first] = plans
  return {
    imports,
    posts: plans.flatMap(({ posts }) => posts),
    issues,
    warnings,
    missing: {
      accounts: first?.missing.accounts ?? [],
      media: plans.flatMap(({ missing }) => missing.media),
    },
  }
}
