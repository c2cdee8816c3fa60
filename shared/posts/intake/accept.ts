import { assistantActor } from '../../audit/actor.ts'
import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { currentOrThrow } from '../../db/condition-failed.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import type { CodeOf } from '../../errors/catalog.ts'
import { type Issue, issueCodes } from '../../errors/issue.ts'
import { Refusal } from '../../errors/refusal.ts'
import { pair, ulid } from '../../ids.ts'
import { beginImports, enqueueImports } from '../../media/imports/work.ts'
import { pendingImportsOf, recordMediaUse } from '../../media/media-file.ts'
import { noSuchMedia } from '../../media/reference.ts'
import { definitionOf } from '../../platforms/definitions.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { countPosts, sumMoves } from '../counts.ts'
import { firstSweepMs, scheduleGroup } from '../dispatch/schedule.ts'
import { postEvent } from '../event.ts'
import { neverClaimed, type Post, packMetadata, posts } from '../lifecycle/row.ts'
import { awaitsTurn } from '../lifecycle/state.ts'
import { type PostView, viewPost } from '../reading/view.ts'
import { splitLongTexts } from '../texts.ts'
import { capExceeded, capWrite, countOnX, monthOf, takeCap } from '../x-cap.ts'
import { assertFitsTransaction } from './fits.ts'
import { naturalDelayMs } from './natural-delay.ts'
import { importsOf, noSuchAccount, type Plan, useListedAccount } from './plan.ts'
import { recordTexts } from './recent-text.ts'
import { assertMayPublish, orBudgetExceeded, takeBudget } from './safety.ts'

/** How a plan is accepted. */
export interface Acceptance {
  scheduledAt: string
  natural: boolean
  /** False for publish-now: the caller knows, so no `post.scheduled` is emitted. */
  announce: boolean
  /** The caller's own id of the request. */
  externalId?: string | undefined
  /** Whether the posts are the tweets of one thread, in order. */
  isThread?: boolean
}

/** The errors of accepting a plan: any of its issues, and a group that does not fit into a transaction. */
export const planErrors = [...issueCodes, 'group_too_large'] as const

/** What a function needs to store and dispatch the posts of a thread. */
export const threadNeeds = [
  'table:read',
  'table:write',
  'queue:prepare',
  'queue:publish',
  'queue:events',
  'queue:import',
  'origins',
  'schedule',
  'platforms',
] as const

/** The same for other posts: an account is looked at alive, at its platform. */
export const planNeeds = [...threadNeeds, 'kms:decrypt', 'platform-secrets'] as const

/** Whether an issue is rejected with 400; a missing account or file is a 404, and the cap on X a 429. */
const isInvalid = (issue: Issue): issue is Issue & { code: CodeOf<'invalid'> } =>
  !['account_not_found', 'media_not_found', 'x_cap_exceeded'].includes(issue.code)

/** Rejects a plan that has issues: 404 for missing objects, otherwise 400 with every issue. */
export const assertValidPlan = (plan: Pick<Plan, 'issues' | 'missing'>): void => {
  const [account] = plan.missing.accounts
  if (account !== undefined) {
    throw new Refusal('missing', `${noSuchAccount(account)} ${useListedAccount}`, {
      code: 'account_not_found',
      field: 'socialAccountIds',
    })
  }
  const [media] = plan.missing.media
  if (media !== undefined) {
    throw new Refusal('missing', noSuchMedia(media), { code: 'media_not_found', field: 'mediaUrls' })
  }
  const first = plan.issues.find(isInvalid)
  if (first === undefined) {
    if (plan.issues.length > 0) throw capExceeded()
  } else {
    const text = first.next === undefined ? first.message : `${first.message} ${first.next}`
    const { code, field } = first
    throw new Refusal('invalid', text, { code, ...(field === undefined ? {} : { field }), issues: plan.issues })
  }
}

/** Builds the rows of a plan: one post for each account, all in one group. */
const buildPosts = (ctx: Context, workspaceId: string, plan: Plan, acceptance: Acceptance) => {
  const now = ctx.clock.now()
  const groupId = ulid(now)
  const bodies = splitLongTexts(workspaceId, groupId)
  const { isThread = false, externalId } = acceptance
  const total = plan.posts.length
  const capMonth = monthOf(Date.parse(acceptance.scheduledAt))
  const built = plan.posts.map(
    ({ account, content, metadata, media, assets, firstComment }, index): { post: Post; content: string } => {
      const id = groupId + pair(index)
      const post: Post = {
        id,
        workspaceId,
        groupId,
        ...(externalId === undefined ? {} : { externalId }),
        socialAccountId: account.id,
        platform: account.platform,
        status: 'scheduled',
        ...bodies.store(content),
        metadata: packMetadata(metadata),
        media,
        pendingImports: pendingImportsOf(media),
        ...(Object.keys(assets).length > 0 ? { assets } : {}),
        ...(firstComment === undefined ? {} : { firstComment }),
        ...(definitionOf(account.platform).hasMonthlyCap ? { capMonth } : {}),
        ...(isThread ? { thread: { index, total } } : {}),
        scheduledAt: acceptance.scheduledAt,
        scheduledAtMs: Date.parse(acceptance.scheduledAt) + (acceptance.natural ? naturalDelayMs(id) : 0),
        createdAt: new Date(now).toISOString(),
        publishedPostUrl: null,
        error: null,
        version: 1,
        sequence: acceptance.announce ? 1 : 0,
        ...neverClaimed,
      }
      return { post, content }
    },
  )
  return { groupId, built, accepted: built.map(({ post }) => post), bodies: bodies.writes() }
}

const platformsOf = (accepted: readonly Post[]) => [...new Set(accepted.map(({ platform }) => platform))]

/** The warnings of a post. Those of the request, and of all tweets of a thread, are shown with the first post. */
const warningsOf = ({ warnings }: Plan, { socialAccountId, thread }: Post, isFirst: boolean) =>
  warnings.filter(
    ({ socialAccountId: id }) =>
      (id === socialAccountId && (isFirst || thread === undefined)) || (id === null && isFirst),
  )

interface AcceptRequest {
  plan: Plan
  acceptance: Acceptance
  /** The response of the request, if it is not the posts. */
  responseOf?: (views: PostView[]) => unknown
}

/**
 * Accepts a valid plan: all posts, their counts, one outbox row, the media uses, and the idempotency record in ONE
 * transaction; then schedules or enqueues them. Returns the posts as the API shows them.
 */
export const acceptPosts = async (
  ctx: Context,
  workspace: Workspace,
  { plan, acceptance, responseOf = (views) => views }: AcceptRequest,
): Promise<PostView[]> => {
  assertValidPlan(plan)
  const now = ctx.clock.now()
  const { groupId, built, accepted, bodies } = buildPosts(ctx, workspace.id, plan, acceptance)
  assertMayPublish(
    ctx,
    accepted.map(({ scheduledAtMs }) => scheduledAtMs),
  )
  const views = built.map(({ post, content }, n) => ({
    ...viewPost(post, content),
    warnings: warningsOf(plan, post, n === 0),
  }))
  const fetched = importsOf(plan)
  const announced = acceptance.announce ? built : []
  const media = accepted.flatMap((post) => [...post.media, ...Object.values(post.assets ?? {})])
  const xPosts = countOnX(accepted.filter(({ capMonth }) => capMonth !== undefined))
  const cap = takeCap(workspace, monthOf(Date.parse(acceptance.scheduledAt)), xPosts)
  const moves = sumMoves(accepted.map((post) => ({ post, to: post.status })))
  const written = commitWithEvents(ctx, workspace, (eventId) => ({
    writes: [
      ...cap,
      ...takeBudget(ctx, workspace.id, accepted.length),
      ...accepted.map((post, n) => ({
        put: {
          ...posts.item(acceptance.announce ? { ...post, lastEventId: eventId(n) } : post),
          ...(awaitsTurn(post) ? {} : sweepAt(post.id, firstSweepMs(post, now))),
        },
      })),
      ...bodies,
      ...beginImports(workspace.id, fetched, now),
      ...recordMediaUse(workspace.id, groupId, media, Date.parse(acceptance.scheduledAt)),
    ],
    counts: () => countPosts(workspace.id, moves),
    events: announced.map(({ post, content }) => postEvent('post.scheduled', post, content, {})),
    audit: {
      by: assistantActor(ctx),
      action: 'post.created',
      target: { type: 'post', id: views[0]?.id ?? groupId },
      after: { scheduledAt: acceptance.scheduledAt, posts: accepted.length, platforms: platformsOf(accepted) },
    },
    response: { data: responseOf(views) },
    check: assertFitsTransaction,
    follow: () =>
      Promise.all([
        scheduleGroup(ctx, workspace.id, groupId, accepted),
        recordTexts(ctx, built),
        enqueueImports(ctx, workspace.id, fetched),
      ]),
  }))
  await currentOrThrow(written, capExceeded, capWrite).catch((error: unknown) => {
    throw orBudgetExceeded(ctx, accepted.length, error)
  })
  return views
}
