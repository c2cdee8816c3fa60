import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { PostView } from '../reading/view.ts'
import { type Acceptance, acceptPosts } from './accept.ts'
import type { Plan } from './plan.ts'
import type { Thread } from './thread-request.ts'

const threadOf = (views: readonly PostView[]): z.infer<typeof Thread> => {
  const [threadHeadPost] = views
  if (threadHeadPost === undefined) throw new Error('a thread without tweets was accepted')
  return { threadHeadPost, totalTweets: views.length, postIds: views.map(({ id }) => id) }
}

/** Accepts a valid thread: one post per tweet, all in one transaction; only the first one is sent. */
export const acceptThread = async (
  ctx: Context,
  workspace: Workspace,
  request: {
    plan: Plan
    acceptance: Pick<Acceptance, 'scheduledAt' | 'announce' | 'externalId'>
  },
): Promise<z.infer<typeof Thread>> => {
  const acceptance = { ...request.acceptance, natural: false, isThread: true }
  return threadOf(await acceptPosts(ctx, workspace, { plan: request.plan, acceptance, responseOf: threadOf }))
}
