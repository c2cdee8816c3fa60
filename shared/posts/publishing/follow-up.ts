import { enqueueOrSweep } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import type { Event } from '../../events/event.ts'
import type { ThreadFacts } from '../../events/payloads.ts'
import { pair } from '../../ids.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { publishMessage, publishQueue } from '../dispatch/enqueue.ts'
import { postEvent } from '../event.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { moveStatus, unchanged } from '../lifecycle/transition.ts'
import { readTexts } from '../texts.ts'
import { threadOf } from '../thread.ts'
import type { Ending } from './ending.ts'

/** What the end of one tweet does to the rest of its thread, in the same transaction. */
export interface FollowUp {
  rows: readonly Write[]
  events: readonly Event[]
  moves: readonly { post: Post; from: 'scheduled'; to: 'failed' }[]
  released: readonly Post[]
  /** The tweet whose turn has come. */
  next: Post | undefined
  /** What the event of the ended tweet tells of its thread. */
  facts: ThreadFacts
}

const nothing: FollowUp = { rows: [], events: [], moves: [], released: [], next: undefined, facts: {} }

/** The sweeper's first look at a tweet whose message was lost. */
const sweepGraceMs = 30_000

/** The tweet after this one may go out: it answers this one. */
const takeTurn = (next: Post, replyTo: string, now: number): FollowUp => {
  const set = { replyTo, ...sweepAt(next.id, now + sweepGraceMs) }
  const row = { update: posts.key(next), change: { set }, when: unchanged(next) }
  return { ...nothing, rows: [row], next: { ...next, replyTo } }
}

/** Nothing can follow a tweet that is not live, or whose id nobody knows: the rest is not sent. */
const failRest = async (
  ctx: Context,
  workspace: Workspace,
  rest: readonly Post[],
  why: string,
  now: number,
): Promise<FollowUp> => {
  const textOf = await readTexts(ctx, rest)
  const error = `Not sent: ${why}`
  const reason = 'thread_broken' as const
  const change = { set: { error, reason, retrySafe: true }, remove: ['prepared', 'resume', 'capMonth'] }
  return {
    rows: rest.map((post) => moveStatus(post, 'failed', change, unchanged(post)).row),
    events: rest.map((post) => {
      const after: Post = { ...post, status: 'failed', error, sequence: post.sequence + 1 }
      return postEvent('post.publish_failed', workspace, after, textOf(post), now, { reason, retrySafe: true })
    }),
    moves: rest.map((post) => ({ post, from: 'scheduled', to: 'failed' })),
    released: rest,
    next: undefined,
    facts: {},
  }
}

/** How much of a broken thread is live, for those who read the event of the tweet that broke it. */
const factsOf = (whole: readonly Post[]): ThreadFacts => {
  const live = whole.filter(({ status }) => status === 'published')
  const tweetIds = live.map(({ platformPostId }) => platformPostId ?? null)
  return { totalTweets: whole.length, publishedCount: live.length, tweetIds }
}

/** What follows the end of a post: nothing, unless it is a tweet of a thread with others after it. */
export const followUp = async (
  ctx: Context,
  workspace: Workspace,
  post: Post,
  ending: Ending,
  now: number,
): Promise<FollowUp> => {
  const { thread } = post
  if (thread === undefined) return nothing
  if (ending.to === 'published' && ending.platformId !== null) {
    const next = await posts.get(ctx, { workspaceId: post.workspaceId, id: post.groupId + pair(thread.index + 1) })
    return next?.status === 'scheduled' ? takeTurn(next, ending.platformId, now) : nothing
  }
  const whole = await threadOf(ctx, post)
  const rest = whole.filter((one) => one.status === 'scheduled' && (one.thread?.index ?? 0) > thread.index)
  const name = `tweet ${thread.index + 1} of ${thread.total}`
  if (ending.to === 'failed') {
    const facts = factsOf(whole)
    return rest.length === 0
      ? { ...nothing, facts }
      : { ...(await failRest(ctx, workspace, rest, `${name} failed.`, now)), facts }
  }
  if (rest.length === 0) return nothing
  return failRest(ctx, workspace, rest, `${name} is live, but the platform did not tell its id.`, now)
}

/** Sends the tweet whose turn has come on its way; the sweeper would find it within a minute. */
export const sendNext = async (ctx: Context, { next }: FollowUp): Promise<void> => {
  if (next === undefined) return
  await enqueueOrSweep(ctx, publishQueue(next), { body: publishMessage(next), group: next.workspaceId })
}
