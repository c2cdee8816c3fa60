import type * as z from 'zod/mini'
import { assistantActor } from '../../audit/actor.ts'
import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { currentOrThrow } from '../../db/condition-failed.ts'
import { batchGet } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { beginImports, enqueueImports } from '../../media/imports/work.ts'
import { recordMediaUse } from '../../media/media-file.ts'
import { checkLive } from '../../social-accounts/check-live.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { countPosts, sumMoves } from '../counts.ts'
import { restartPost, schedulePost } from '../dispatch/schedule.ts'
import { postEvent } from '../event.ts'
import { assertValidPlan } from '../intake/accept.ts'
import { assertFitsTransaction } from '../intake/fits.ts'
import { futureMoment } from '../intake/future-moment.ts'
import { importsOf, type PlannedPost, planAccounts, planKeys } from '../intake/plan.ts'
import { assertMayPublish, orBudgetExceeded, takeBudget } from '../intake/safety.ts'
import { metadataOf, type Post } from '../lifecycle/row.ts'
import { postNotFound } from '../reading/find.ts'
import { type PostView, viewPost } from '../reading/view.ts'
import { readTexts, splitLongTexts } from '../texts.ts'
import { capExceeded, capWrite, moveCap } from '../x-cap.ts'
import { assertVersion } from './expected.ts'
import { type Changed, nextVersion, versionRow } from './next-version.ts'
import { onFreshPost } from './on-fresh-post.ts'
import { assertNotInFlight } from './refusals.ts'
import type { UpdatePostRequest } from './requests.ts'
import { editable, movable } from './which-posts.ts'

type Request = z.infer<typeof UpdatePostRequest>

/** How a change is made. */
export interface ChangeOptions {
  /** The versions that If-Match names; any if undefined. */
  versions?: readonly number[] | undefined
  /** A reschedule: the post gets a new version even if nothing differs. */
  always?: boolean
}

/** A file that the post keeps. One that could not be fetched is fetched again. */
const referenceOf = ({ id, source }: Post['media'][number]): string => (source?.status === 'failed' ? source.url : id)

/** Plans the post as the request changes it, by the same rules as scheduling. */
const replan = async (
  ctx: Context,
  workspace: Workspace,
  { post, text, request }: { post: Post; text: string; request: Request },
): Promise<{ planned: PlannedPost; fetched: { id: string; url: string }[] }> => {
  const current = post.metadata === undefined ? undefined : { [post.platform]: metadataOf(post) }
  const full = {
    socialAccountIds: [post.socialAccountId],
    content: request.content ?? text,
    metadata: request.metadata === undefined ? current : (request.metadata ?? undefined),
    mediaUrls: request.mediaUrls === undefined ? post.media.map(referenceOf) : (request.mediaUrls ?? []),
    firstComment: request.firstComment === undefined ? post.firstComment : (request.firstComment ?? undefined),
  }
  const momentMs = request.scheduledAt === undefined ? post.scheduledAtMs : Date.parse(request.scheduledAt)
  const rows = await batchGet(ctx, planKeys(workspace.id, ctx.env('MEDIA_URL'), full, momentMs))
  // The post may already hold slots in the cap; the transaction takes the missing ones.
  const plan = await planAccounts({ ctx, workspace, rows, momentMs, checkLive, currentMedia: post.media }, full)
  assertValidPlan(plan)
  const [planned] = plan.posts
  if (!planned) throw new Error(`the plan of post ${post.id} is empty`)
  return { planned, fetched: importsOf(plan) }
}

const changesContent = ({ content, metadata, mediaUrls, firstComment }: Request) =>
  content !== undefined || metadata !== undefined || mediaUrls !== undefined || firstComment !== undefined

/**
 * Whether the request changes the time of the post. An unchanged time may be in the past: the post is about to be published.
 */
const changesTime = (post: Post, { scheduledAt }: Request, { always = false }: ChangeOptions): boolean =>
  scheduledAt !== undefined &&
  (always || post.status !== 'scheduled' || Date.parse(scheduledAt) !== Date.parse(post.scheduledAt))

/** The changed posts, decided on the rows as they were read. */
const decide = async (ctx: Context, workspace: Workspace, post: Post, request: Request, options: ChangeOptions) => {
  assertVersion(post, options.versions)
  const moves = changesTime(post, request, options)
  const posts = moves ? await movable(ctx, post) : [editable(post)]
  const now = ctx.clock.now()
  // A post that is being published is rejected first, whatever else is wrong with the request.
  for (const one of posts) assertNotInFlight(one, 'reschedule', now)
  const scheduledAt = moves ? futureMoment(request.scheduledAt ?? '', now) : undefined
  const [first = post] = posts
  if (first.id !== post.id && (changesContent(request) || request.externalId !== undefined)) {
    const text = 'The first tweet of the thread is live. Send only a new time; the rest is published unchanged.'
    throw new Refusal('invalid', text, { code: 'thread_partially_published', field: 'content' })
  }
  const textOf = await readTexts(ctx, posts)
  const { planned, fetched } =
    moves || changesContent(request)
      ? await replan(ctx, workspace, { post: first, text: textOf(first), request })
      : { planned: undefined, fetched: [] }
  const bodies = splitLongTexts(workspace.id, `${first.id}v${first.version + 1}`)
  const changed = posts.map((current) => {
    const own = current.id === first.id ? { planned, externalId: request.externalId } : {}
    return nextVersion(current, textOf(current), {
      scheduledAt,
      planned: undefined,
      externalId: undefined,
      ...own,
      ...bodies,
    })
  })
  return { moves, changed, fetched, bodies: bodies.writes(), textOf }
}

/** The time of the first changed post before and after, for the audit trail. */
const movedTime = ([first]: readonly Changed[]) => ({
  before: { scheduledAt: first?.before.scheduledAt },
  after: { scheduledAt: first?.after.scheduledAt },
})

/** How many posts change their content or view. */
const rewrittenOf = (changed: readonly Changed[]): number =>
  changed.filter(({ fields }) => fields.some((field) => field !== 'externalId')).length

/** Schedules the first changed post for its time. */
const dispatch = async (ctx: Context, [first]: readonly Changed[], moves: boolean): Promise<void> => {
  if (first === undefined) return
  await (moves ? schedulePost(ctx, first.after) : restartPost(ctx, first.before, first.after))
}

const changeOnce = async (
  ctx: Context,
  workspace: Workspace,
  post: Post,
  request: Request,
  options: ChangeOptions,
): Promise<PostView> => {
  const { moves, changed, fetched, bodies, textOf } = await decide(ctx, workspace, post, request, options)
  const due = changed.map(({ after }) => after.scheduledAtMs)
  if (moves) assertMayPublish(ctx, due)
  if (!moves && changed.every(({ fields }) => fields.length === 0)) return viewPost(post, textOf(post))
  const now = ctx.clock.now()
  const rewritten = rewrittenOf(changed)
  const files = changed.flatMap(({ after }) => [...after.media, ...Object.values(after.assets ?? {})])
  const counted = sumMoves(changed.map(({ before }) => ({ post: before, from: before.status, to: 'scheduled' })))
  const written = commitWithEvents(ctx, workspace, (eventId) => ({
    writes: [
      ...moveCap(workspace, changed),
      ...takeBudget(ctx, workspace.id, rewritten),
      ...changed.map((row, n) => versionRow(row, now, eventId(n))),
      ...bodies,
      ...beginImports(workspace.id, fetched, now),
      ...recordMediaUse(workspace.id, post.id, files, Math.max(...due)),
    ],
    counts: () => countPosts(workspace.id, counted),
    events: changed.map(({ after, content, fields }) =>
      moves
        ? postEvent('post.rescheduled', after, content, {})
        : postEvent('post.updated', after, content, { changedFields: fields }),
    ),
    audit: {
      by: assistantActor(ctx),
      action: 'post.updated',
      target: { type: 'post', id: post.id },
      ...(moves ? movedTime(changed) : { after: { changed: changed.flatMap(({ fields }) => fields) } }),
    },
    check: assertFitsTransaction,
    follow: () => Promise.all([dispatch(ctx, changed, moves), enqueueImports(ctx, workspace.id, fetched)]),
  }))
  await currentOrThrow(written, capExceeded, capWrite).catch((error: unknown) => {
    throw orBudgetExceeded(ctx, rewritten, error)
  })
  const head = changed.find(({ after }) => after.id === post.id)
  return head ? viewPost(head.after, head.content) : viewPost(post, (await readTexts(ctx, [post]))(post))
}

/**
 * Changes a post that is not live: its text, media, metadata, first comment, time, or external id, as its next version. A thread gets a
 * new time as a whole and continues at the first tweet that is not live; anything else changes one tweet. An unreconciled
 * attempt stays journaled: the publisher reconciles it before it sends again (pipeline rule 3, shared/README.md).
 * Concurrent calls take effect one after the other.
 */
export const changePost = (
  ctx: Context,
  workspace: Workspace,
  post: Post,
  request: Request,
  options: ChangeOptions,
): Promise<PostView> =>
  onFreshPost(ctx, post, async (now) => {
    if (now === undefined) throw postNotFound(post.id)
    return changeOnce(ctx, workspace, now, request, options)
  })
