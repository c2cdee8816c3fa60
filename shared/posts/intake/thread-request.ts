import * as z from 'zod/mini'
import { Moment } from '../../http/moment.ts'
import { PostView } from '../reading/view.ts'
import { references, text } from './requests.ts'

const most = 25

/** One tweet of a thread. */
const ThreadTweet = z
  .strictObject({ content: text, mediaUrls: z.optional(references) })
  .register(z.globalRegistry, { id: 'ThreadTweet' })

const thread = {
  socialAccountId: z.string().check(z.minLength(1), z.maxLength(100)),
  tweets: z.array(ThreadTweet).check(z.minLength(2), z.maxLength(most)),
  metadata: z.optional(z.record(z.string(), z.unknown())),
}

export const ScheduleThreadRequest = z
  .strictObject({ ...thread, scheduledAt: Moment })
  .register(z.globalRegistry, { id: 'ScheduleThreadRequest' })

export const PublishThreadRequest = z.strictObject(thread).register(z.globalRegistry, { id: 'PublishThreadRequest' })

export type ThreadRequest = z.infer<typeof PublishThreadRequest>

/** The response of accepting a thread: the post of tweet 1, and the ids of all tweets in order. */
export const Thread = z
  .object({ threadHeadPost: PostView, totalTweets: z.int(), postIds: z.array(z.string()) })
  .register(z.globalRegistry, { id: 'Thread' })
