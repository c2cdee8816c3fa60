import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { Moment } from '../../http/moment.ts'
import { PostView } from '../reading/view.ts'
import { ExternalId, FirstCommentRequest, references, text } from './requests.ts'
import { anyThreadPlatform } from './thread-platforms.ts'

const maxTweets = 25

/** One tweet of a thread. */
const ThreadTweet = z
  .strictObject({
    content: described(
      text,
      'The text of the tweet, at most 280 characters on X, more for an X Premium account; 300 on Bluesky; 500 on Threads.',
    ),
    mediaUrls: described(
      z.optional(references),
      'The files of the tweet, in order: IDs (`med_…`) or URLs of files in the library, or public https addresses: at most 10 in the thread.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'ThreadTweet',
    description: 'One tweet of a thread: a post on the platform of the account.',
  })

const thread = {
  socialAccountId: described(
    z.string().check(z.minLength(1), z.maxLength(100)),
    `The ID of an account on ${anyThreadPlatform}, \`acc_…\`.`,
  ),
  tweets: described(
    z.array(ThreadTweet).check(z.minLength(2), z.maxLength(maxTweets)),
    'The tweets, which are posts on Bluesky and Threads, in order, 2 to 25.',
  ),
  metadata: described(
    z.optional(z.record(z.string(), z.unknown())),
    'Metadata by platform, as for a post. Fields of the thread, such as a poll and who may reply, apply to the first tweet; other fields to each.',
  ),
  firstComment: described(
    z.optional(FirstCommentRequest),
    'A comment under the last post of the thread, once that is live.',
  ),
  externalId: z.optional(ExternalId),
}

export const ScheduleThreadRequest = z
  .strictObject({
    ...thread,
    scheduledAt: described(
      Moment,
      'When to publish the first tweet, RFC 3339 with a time zone. In the future, at most five years ahead. Each of the others follows when the previous one is live.',
    ),
  })
  .register(z.globalRegistry, { id: 'ScheduleThreadRequest', description: 'A thread to publish at a later time.' })

export const PublishThreadRequest = z
  .strictObject(thread)
  .register(z.globalRegistry, { id: 'PublishThreadRequest', description: 'A thread to publish now.' })

export type ThreadRequest = z.infer<typeof PublishThreadRequest>

/** The response of accepting a thread: the post of tweet 1, and the ids of all tweets in order. */
export const Thread = z
  .object({
    threadHeadPost: PostView,
    totalTweets: described(z.int(), 'The number of tweets, which are the posts of the thread.'),
    postIds: described(
      z.array(z.string()),
      'The IDs of the posts of all tweets, in order. The first is `threadHeadPost`.',
    ),
  })
  .register(z.globalRegistry, { id: 'Thread', description: 'A thread that was accepted.' })
