import type { Context } from '../../context.ts'
import type { BatchRows, Key } from '../../db/table.ts'
import type { Issue, IssueCode } from '../../errors/issue.ts'
import { suggest } from '../../http/suggest.ts'
import { withoutNulls } from '../../http/without-nulls.ts'
import { ulid } from '../../ids.ts'
import { findReferenced, referencedKeys } from '../../media/asset.ts'
import { isSourceAddress, maxImports, refuseSource, sourceUrlOf } from '../../media/imports/source-address.ts'
import { isPending, type MediaFile, pendingFile, postMedia } from '../../media/media-file.ts'
import { noSuchMedia } from '../../media/reference.ts'
import { allowedOrigins } from '../../net/address.ts'
import { definitionFor, definitionOf, definitions, tierFor } from '../../platforms/definitions.ts'
import { checkComment, refusesComment } from '../../platforms/rules/check-comment.ts'
import { checkUnfetched, unknownFields, warningsOf } from '../../platforms/rules/check-post.ts'
import { type PlatformId, platformIds } from '../../resources.ts'
import { type CheckLive, withServerLimits } from '../../social-accounts/check-live.ts'
import { isUsable, type SocialAccount, socialAccounts } from '../../social-accounts/social-account.ts'
import { asSentence } from '../../text/as-sentence.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { unknownField, type Warning } from '../warning.ts'
import { capKey, capOf, countOnX, monthOf, usedOf } from '../x-cap.ts'
import { planApiEnd } from './plan-api-end.ts'
import { recentTextKeys, warnOfRepeats } from './recent-text.ts'
import type { PostRequest } from './requests.ts'

const valueAt = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined

/** The values at a path of keys, each with its field; `*` stands for every item of a list. */
const valuesAt = (value: unknown, path: readonly string[], above: readonly string[] = []): [string, unknown][] => {
  const [key, ...rest] = path
  if (key === undefined) return [[above.join('.'), value]]
  const items = key === '*' && Array.isArray(value) ? Object.keys(value) : []
  const keys = key === '*' ? items : [key]
  return keys.flatMap((name) => valuesAt(valueAt(value, name), rest, [...above, name]))
}

/** The assets that a platform's metadata block names, by field; skips fields that are absent or not text. */
const assetReferences = (platform: string, block: unknown): Record<string, string> => {
  const fields = definitions.find(({ id }) => id === platform)?.rules.assetFields ?? {}
  const entries = Object.keys(fields).flatMap((field) => valuesAt(block, field.split('.')))
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  )
}

/** One account's share of a request: everything that its post will contain. */
export interface PlannedPost {
  account: SocialAccount
  content: string
  metadata: unknown
  media: MediaFile[]
  /** The files that metadata fields name, by field. */
  assets: Record<string, MediaFile>
  firstComment?: PlannedComment
}

interface PlannedComment {
  text: string
  delaySeconds: number
}

/** The result of checking a request against the rows that it names. Planning writes nothing and throws nothing. */
export interface Plan {
  posts: PlannedPost[]
  issues: Issue[]
  /** What the author may not have intended; the post is accepted. */
  warnings: Warning[]
  /** Accounts and media that this workspace does not have. */
  missing: { accounts: string[]; media: string[] }
  /** The IDs of the files to fetch, by address. */
  imports: PlannedImports
}

export type PlannedImports = Map<string, string>

/** The workspace, rows, and time that a plan is made with. */
export interface PlanContext {
  ctx: Context
  workspace: Workspace
  rows: BatchRows
  /** When the posts should be published. */
  momentMs: number
  /** The files that the post has now. */
  currentMedia?: readonly MediaFile[]
  /** The files to fetch, where several plans share them. */
  imports?: PlannedImports
  /** The only account, with the limits of its server, where several plans share it. */
  account?: SocialAccount | undefined
  /** Checks rules that only the platform knows; threads need none. */
  checkLive?: CheckLive
}

const mediaReferences = (request: PostRequest, platform: PlatformId) =>
  request.platformMedia?.[platform] ?? request.mediaUrls ?? []

/** The rows that a request names, read together with the authorization. */
export const requestKeys = ({
  ctx,
  workspaceId,
  body,
}: {
  ctx: Context
  workspaceId: string
  body: PostRequest & { scheduledAt?: string | undefined }
}): Key[] => {
  const { scheduledAt } = body
  const momentMs = scheduledAt === undefined ? ctx.clock.now() : Date.parse(scheduledAt)
  const rows = planKeys(workspaceId, ctx.env('MEDIA_URL'), body, momentMs)
  return [...rows, ...recentTextKeys(workspaceId, body)]
}

/** The rows that a request names: its accounts, every asset that it may use, and the monthly cap on X. */
export const planKeys = (workspaceId: string, mediaUrl: string, request: PostRequest, momentMs: number): Key[] => {
  const named = Object.entries(request.metadata ?? {}).flatMap(([id, block]) =>
    Object.values(assetReferences(id, block)),
  )
  const references = [request.mediaUrls ?? [], ...Object.values(request.platformMedia ?? {}), named].flat()
  return [
    ...request.socialAccountIds.map((id) => socialAccounts.key({ workspaceId, id })),
    ...referencedKeys(workspaceId, mediaUrl, references),
    capKey(workspaceId, monthOf(momentMs)),
  ]
}

/** The files that a plan fetches. */
export const importsOf = ({ imports }: Plan): { id: string; url: string }[] =>
  [...imports].map(([url, id]) => ({ id, url }))

/** The message for an id that names no account of the workspace. */
export const noSuchAccount = (id: string): string =>
  `This workspace has no account ${id}.${id.startsWith('acc_') ? '' : ' Ids of accounts start with "acc_".'}`

export const useListedAccount = 'Use an id from GET /api/social-accounts.'

const missingAccount = (id: string): Issue => ({
  socialAccountId: id,
  // The specification requires text here; the platform of a missing account is unknown.
  platform: 'unknown',
  code: 'account_not_found',
  field: 'socialAccountIds',
  message: noSuchAccount(id),
  next: useListedAccount,
})

/** Creates an issue about one account's post. */
const issueOf =
  ({ id, platform }: SocialAccount) =>
  (code: IssueCode, message: string, next: string, field = 'socialAccountIds'): Issue => ({
    socialAccountId: id,
    platform,
    code,
    field,
    message,
    next,
  })

/** The first comment of an account's post, as requested; it is left out if the platform accepts none. */
const planComment = (
  request: PostRequest,
  { account, metadata }: Pick<PlannedPost, 'account' | 'metadata'>,
  plan: Pick<Plan, 'issues' | 'warnings'>,
): { firstComment?: PlannedComment } => {
  const { id, platform, providerName } = account
  const own = request.firstCommentByAccount?.[id]
  const given = own === undefined ? request.firstComment : own
  if (given === undefined || given === null) return {}
  const field = own === undefined ? 'firstComment' : `firstCommentByAccount.${id}`
  const issue = issueOf(account)
  const definition = definitionFor(account)
  const why = refusesComment(definition, metadata)
  const code = 'first_comment_not_supported'
  if (why !== undefined) {
    const isMeant = own !== undefined || request.socialAccountIds.length === 1
    if (isMeant) plan.issues.push(issue(code, why, `Remove "${field}".`, field))
    else {
      const next = 'The post is published there without the comment. Remove it for this account to clear the warning.'
      plan.warnings.push({ socialAccountId: id, platform, code, field, message: why, next })
    }
    return {}
  }
  const findings = checkComment(definition, { socialAccountId: id, tier: tierFor(account) }, given.text)
  plan.issues.push(
    ...findings.map(({ code, message, next }) =>
      issue(code, asSentence(`${providerName}: ${message}`), next, `${field}.text`),
    ),
  )
  return { firstComment: { text: given.text, delaySeconds: given.delaySeconds ?? 0 } }
}

const planOne = async (
  { ctx, workspace, rows, checkLive, currentMedia = [], momentMs, account: shared }: PlanContext,
  request: PostRequest,
  stored: SocialAccount,
  plan: Plan,
): Promise<PlannedPost> => {
  const account = shared ?? (await withServerLimits(ctx, stored))
  const { id, platform, providerName, username } = account
  const issue = issueOf(account)
  if (!isUsable(account)) {
    const text = `The ${providerName} account ${username ?? id} is not connected.`
    plan.issues.push(issue('account_disconnected', text, 'Reconnect the account.'))
  }
  const mediaField = request.platformMedia?.[platform] === undefined ? 'mediaUrls' : `platformMedia.${platform}`
  const fileOf = (reference: string): MediaFile[] => {
    const asset = findReferenced(rows, workspace.id, ctx.env('MEDIA_URL'), reference)
    const before = currentMedia.find(({ id: one }) => one === reference)
    if (asset) return [{ ...postMedia(asset), ...(before?.source === undefined ? {} : { source: before.source }) }]
    if (before !== undefined && isPending(before)) return [before]
    plan.missing.media.push(reference)
    const absent = issue('media_not_found', noSuchMedia(reference), 'Upload it, then complete the upload.', mediaField)
    // A file that is listed twice is missing once.
    const isNoted = plan.issues.some(
      ({ socialAccountId, message }) => socialAccountId === id && message === absent.message,
    )
    if (!isNoted) plan.issues.push(absent)
    return []
  }
  const mediaUrl = ctx.env('MEDIA_URL')
  const listed = (reference: string): MediaFile[] => {
    if (!isSourceAddress(reference, mediaUrl)) return fileOf(reference)
    const url = sourceUrlOf(reference)
    const mediaId = plan.imports.get(url) ?? `med_${ulid(ctx.clock.now())}`
    plan.imports.set(url, mediaId)
    return [pendingFile(mediaId, url)]
  }
  const content = request.platformContent?.[platform] ?? request.content
  // Decided: no field of a platform accepts null, so null counts as absent.
  const metadata = withoutNulls(request.metadata?.[platform])
  const media = mediaReferences(request, platform).flatMap(listed)
  const named = Object.entries(assetReferences(platform, metadata))
  const own = Object.fromEntries(named.flatMap(([field, reference]) => fileOf(reference).map((file) => [field, file])))
  const target = { socialAccountId: id, externalId: account.externalId, tier: tierFor(account) }
  const textField = request.platformContent?.[platform] === undefined ? 'content' : `platformContent.${platform}`
  const renamed: Readonly<Record<string, string>> = { content: textField, mediaUrls: mediaField }
  const definition = definitionFor(account)
  planApiEnd(ctx, definition, { socialAccountId: id, dueMs: momentMs }, plan)
  const post = { ...target, content, metadata, media, assets: own }
  const findings = checkUnfetched(definition, post)
  plan.issues.push(...findings.map((finding) => ({ ...finding, field: renamed[finding.field ?? ''] ?? finding.field })))
  // The platform is queried only about a post that has no other issues.
  if (checkLive && findings.length === 0 && isUsable(account)) {
    const live = await checkLive(ctx, workspace, account, { metadata, content })
    plan.issues.push(
      ...live.map(({ code, message, next, field = `metadata.${platform}` }) =>
        issue(code, asSentence(`${providerName}: ${message}`), next, field),
      ),
    )
  }
  plan.warnings.push(
    ...unknownFields(definition, metadata).map((field) => unknownField(id, platform, field)),
    ...(findings.length > 0 ? [] : warningsOf(definition, post)).map((warning) => ({
      socialAccountId: id,
      platform,
      ...warning,
      field: renamed[warning.field] ?? warning.field,
    })),
  )
  return { account, content, metadata, media, assets: own, ...planComment(request, { account, metadata }, plan) }
}

const capIssues = ({ workspace, rows, momentMs }: PlanContext, posts: readonly PlannedPost[]): Issue[] => {
  const month = monthOf(momentMs)
  const capped = posts.filter(({ account }) => definitionOf(account.platform).hasMonthlyCap)
  const used = usedOf(workspace, rows.item(capKey(workspace.id, month)))
  const limit = capOf(workspace)
  const text = `X: ${used + countOnX(capped)}/${limit} posts in ${month}.`
  const next = 'Choose a time in another month, or cancel scheduled posts to X.'
  return capped
    .filter((_, n) => used + countOnX(capped.slice(0, n + 1)) > limit)
    .map(({ account }) => issueOf(account)('x_cap_exceeded', text, next))
}

/** The most unknown blocks that are looked at. */
const maxBlocks = 20

/**
 * Blocks of `metadata` whose name is that of no platform. Decided: a name that is close to a platform's is rejected; other
 * names are allowed, as in the specification.
 */
const checkBlocks = ({ metadata = {} }: PostRequest): Pick<Plan, 'issues' | 'warnings'> => {
  const unknown = Object.keys(metadata).filter((key) => !platformIds.some((id) => id === key))
  const findings: Pick<Plan, 'issues' | 'warnings'> = { issues: [], warnings: [] }
  for (const key of unknown.slice(0, maxBlocks)) {
    const meant = suggest(key, platformIds)
    const field = `metadata.${key}`
    const whose = { socialAccountId: null, platform: 'unknown' }
    if (meant === undefined) findings.warnings.push(unknownField(null, 'unknown', field))
    else {
      const message = `"${field}" is not a known field.`
      findings.issues.push({ ...whose, code: 'metadata_invalid', field, message, next: `Did you mean "${meant}"?` })
    }
  }
  return findings
}

const useOtherAddress =
  'Send a public https address, or upload the file with POST /api/media/upload-url and send its id.'

/** The addresses of a request that the service does not fetch from, and addresses above the limit of a request. */
const addressIssues = (ctx: Context, { mediaUrls, platformMedia }: PostRequest): Issue[] => {
  const lists = [
    { field: 'mediaUrls', references: mediaUrls ?? [] },
    ...Object.entries(platformMedia ?? {}).map(([id, references]) => ({ field: `platformMedia.${id}`, references })),
  ]
  const origins = allowedOrigins(ctx)
  const mediaUrl = ctx.env('MEDIA_URL')
  const about = { socialAccountId: null, platform: 'unknown', code: 'media_url_invalid' } as const
  const refused = lists.flatMap(({ field, references }) =>
    references.flatMap((reference, n): Issue[] => {
      const why = isSourceAddress(reference, mediaUrl) ? refuseSource(reference, origins) : undefined
      return why === undefined ? [] : [{ ...about, field: `${field}[${n}]`, message: why, next: useOtherAddress }]
    }),
  )
  const addresses = lists.flatMap(({ references }) =>
    references.filter((reference) => isSourceAddress(reference, mediaUrl)),
  )
  const count = new Set(addresses.map(sourceUrlOf)).size
  if (count <= maxImports) return refused
  const message = `The request has ${count} addresses.`
  return [...refused, { ...about, field: 'mediaUrls', message, next: `Send at most ${maxImports} addresses.` }]
}

/** A first comment for an account that the request does not name. */
const commentOfNobody = (id: string): Warning => ({
  socialAccountId: null,
  platform: 'unknown',
  code: 'unknown_field',
  field: `firstCommentByAccount.${id}`,
  message: `The post does not go to the account "${id}". Its comment has no effect.`,
  next: 'Use IDs of "socialAccountIds".',
})

/** Plans a request account by account, without the monthly cap on X, which belongs to the workspace. */
export const planAccounts = async (around: PlanContext, request: PostRequest): Promise<Plan> => {
  const { workspace, rows } = around
  const blocks = checkBlocks(request)
  const plan: Plan = {
    posts: [],
    issues: [...blocks.issues, ...addressIssues(around.ctx, request)],
    warnings: blocks.warnings,
    missing: { accounts: [], media: [] },
    imports: around.imports ?? new Map(),
  }
  const seen = new Set<string>()
  for (const id of request.socialAccountIds) {
    const account = socialAccounts.from(rows, { workspaceId: workspace.id, id })
    if (!account) {
      plan.missing.accounts.push(id)
      plan.issues.push(missingAccount(id))
    } else if (seen.has(id)) {
      const issue = issueOf(account)
      plan.issues.push(issue('duplicate_account', 'The account is listed more than once.', 'List each account once.'))
    } else {
      seen.add(id)
      plan.posts.push(await planOne(around, request, account, plan))
    }
  }
  const { ctx, momentMs } = around
  const commented = Object.keys(request.firstCommentByAccount ?? {})
  const strangers = commented.filter((id) => !request.socialAccountIds.includes(id))
  plan.warnings.push(...strangers.slice(0, maxBlocks).map(commentOfNobody))
  const repeats = await warnOfRepeats(ctx, { workspaceId: workspace.id, prefetched: rows, dueMs: momentMs }, plan.posts)
  return { ...plan, warnings: [...plan.warnings, ...repeats] }
}

/** Plans a request: `validate` shows the plan's issues, and `schedule` and `publish-now` use the same plan. */
export const planPosts = async (around: PlanContext, request: PostRequest): Promise<Plan> => {
  const plan = await planAccounts(around, request)
  return { ...plan, issues: [...plan.issues, ...capIssues(around, plan.posts)] }
}
