import type { Context } from '../../context.ts'
import type { Write } from '../../db/table.ts'
import type { ThreadData } from '../../events/catalog.ts'
import type { NewEvent } from '../../events/event.ts'
import { pair } from '../../ids.ts'
import { postEvent } from '../event.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { mayBeLive, unchanged } from '../lifecycle/state.ts'
import { publicationWork } from '../lifecycle/work.ts'
import { type Ending, finish, startTurn } from '../lifecycle/writes.ts'
import { readTexts } from '../texts.ts'
import { threadOf } from '../thread.ts'
import { recordAttempt } from './attempt-log.ts'
import type { Endable } from './publication.ts'

/** What happens to one post in the transaction that ends a publication. */
export interface Step {
  row: Write
  events: readonly NewEvent[]
  moves: readonly { post: Post; from: Post['status']; to: Post['status'] }[]
  /** The posts that release their slots in the cap on X. */
  released: readonly Post[]
}

/** The effect of one tweet's end on the rest of its thread. */
export interface FollowUp {
  /** The steps of the tweets that follow, each made with the id of its event. */
  steps: readonly ((eventId: string) => Step)[]
  /** The tweet that is published next. */
  next: Post | undefined
  /** The fields about the thread in the event of the ended tweet. */
  data: ThreadData
}

const nothing: FollowUp = { steps: [], next: undefined, data: {} }

/** The next tweet can be published as a reply to this one. */
const startNext = (next: Post, replyTo: string, now: number): FollowUp => ({
  steps: [() => ({ row: startTurn(next, replyTo, now), events: [], moves: [], released: [] })],
  next: { ...next, replyTo },
  data: {},
})

/** No tweet can follow one that is not live or whose ID is unknown: the rest is not sent. */
const breakThread = async (
  ctx: Context,
  { rest, why, now }: { rest: readonly Post[]; why: string; now: number },
): Promise<FollowUp['steps']> => {
  const textOf = await readTexts(ctx, rest)
  return rest.map((post) => (eventId) => {
    const reported = { reason: 'thread_broken', retrySafe: !mayBeLive(post) } as const
    const ending = { by: 'breakThread', error: `Not sent: ${why}`, ...reported } as const satisfies Ending
    const attempts = recordAttempt(
      post,
      {
        ends: post.attempt === undefined ? 'failed' : 'unknown',
        failure: { reason: reported.reason, message: ending.error },
      },
      now,
    )
    const after: Post = { ...post, status: 'failed', error: ending.error, sequence: post.sequence + 1 }
    return {
      row: finish(post, ending, unchanged(post), { nowMs: now, attempts, eventId }),
      events: [postEvent('post.publish_failed', after, textOf(post), reported)],
      moves: [{ post, from: post.status, to: 'failed' }],
      released: [post],
    }
  })
}

/** How much of a partly published thread is live, for the event of the tweet that failed. */
const dataOf = (whole: readonly Post[]): ThreadData => {
  const live = whole.filter(({ status }) => status === 'published')
  const tweetIds = live.map(({ platformPostId }) => platformPostId ?? null)
  return { totalTweets: whole.length, publishedCount: live.length, tweetIds }
}

/** What follows the end of a post: nothing, unless it is a tweet of a thread with others after it. */
export const followUp = async (ctx: Context, { post }: Endable, ending: Ending, now: number): Promise<FollowUp> => {
  const { thread } = post
  if (thread === undefined) return nothing
  if (ending.by === 'publish' && ending.platformId !== null) {
    const next = await posts.get(ctx, { workspaceId: post.workspaceId, id: post.groupId + pair(thread.index + 1) })
    return next?.status === 'scheduled' ? startNext(next, ending.platformId, now) : nothing
  }
  const whole = await threadOf(ctx, post)
  const rest = whole.filter((tweet) => tweet.status === 'scheduled' && (tweet.thread?.index ?? 0) > thread.index)
  const name = `tweet ${thread.index + 1} of ${thread.total}`
  const isLive = ending.by === 'publish'
  const why = isLive ? `${name} is live, but the platform did not return its id.` : `${name} failed.`
  const steps = rest.length === 0 ? [] : await breakThread(ctx, { rest, why, now })
  return { steps, next: undefined, data: isLive ? {} : dataOf(whole) }
}

/** Sends the next tweet; otherwise the sweeper finds it within a minute. */
export const sendNext = async (ctx: Context, { next }: FollowUp): Promise<void> => {
  if (next !== undefined) await publicationWork.enqueue(ctx, next)
}
