import * as z from 'zod/mini'
import { equal } from '../../db/expression.ts'
import { lease } from '../../db/lease.ts'
import { work } from '../../db/work.ts'
import { platformIds, type QueueName } from '../../resources.ts'
import { type Post, posts } from './row.ts'

/**
 * The message to prepare-post: a whole group as accepted, or one post. It names no version: the current post is prepared if
 * it is due soon.
 */
export const PrepareMessage = z.union([
  z.object({ workspaceId: z.string(), groupId: z.string() }),
  z.object({ workspaceId: z.string(), postId: z.string() }),
])
export type PrepareMessage = z.infer<typeof PrepareMessage>

/**
 * The message to publish-post: one post with its version; it names the account, so that one read fetches everything.
 */
export const PublishMessage = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  socialAccountId: z.string(),
  platform: z.enum(platformIds),
  version: z.int(),
})
export type PublishMessage = z.infer<typeof PublishMessage>

export const publishQueue = (post: Pick<Post, 'platform'>): QueueName => `publish-${post.platform}`

type Ref = Pick<Post, 'workspaceId' | 'id' | 'platform' | 'socialAccountId' | 'scheduledAtMs' | 'version'>

export const prepareMessage = ({ workspaceId, id: postId }: Pick<Post, 'workspaceId' | 'id'>): PrepareMessage => ({
  workspaceId,
  postId,
})

export const publishMessage = ({
  workspaceId,
  id: postId,
  socialAccountId,
  platform,
  version,
}: Ref): PublishMessage => ({ workspaceId, postId, socialAccountId, platform, version })

/** Earlier than this before its time, the sweeper sends a post to be prepared instead of published. */
const prepareLeadMs = 20_000

/** The publication of a post. Its author can change the post once the lease has ended: then the version is another. */
export const publicationWork = work({
  entity: posts,
  queue: 'prepare',
  timeoutSeconds: 60,
  // By then, accepted posts are visible in the platform's lists, and Discord no longer recognizes a nonce, so that only its
  // channel is queried (pipeline rule 2, shared/README.md).
  extraLeaseMs: 45_000,
  graceMs: 30_000,
  open: equal('status', 'scheduled'),
  asClaimed: ({ version }) => equal('version', version),
  ref: z.object({
    workspaceId: z.string(),
    id: z.string(),
    platform: z.enum(platformIds),
    socialAccountId: z.string(),
    scheduledAtMs: z.number(),
    version: z.int(),
  }),
  message: (ref, nowMs) => {
    const group = ref.workspaceId
    return ref.scheduledAtMs - nowMs > prepareLeadMs
      ? { body: prepareMessage(ref), group }
      : { queue: publishQueue(ref), body: publishMessage(ref), group }
  },
})

/** The timeout of prepare-post, in seconds. */
export const prepareTimeoutSeconds = 60

/** One worker at a time prepares a post. The sweep time of the row belongs to the publication. */
export const prepareLease = lease({
  until: 'prepareLeaseUntilMs',
  token: 'prepareLeaseToken',
  timeoutSeconds: prepareTimeoutSeconds,
})
