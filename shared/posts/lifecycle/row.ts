import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { failureReasons } from '../../events/failure-reasons.ts'
import { VideoInfo } from '../../media/video-info.ts'
import { platformIds } from '../../resources.ts'
import { AttemptRecord } from './attempt-record.ts'

/** The five statuses of the specification; the service itself never sets `draft`. */
export const postStatuses = ['draft', 'scheduled', 'published', 'failed', 'cancelled'] as const
export type PostStatus = (typeof postStatuses)[number]

const Media = z.object({
  id: z.string(),
  storageKey: z.string(),
  mimeType: z.string(),
  fileSize: z.number(),
  originalFilename: z.string(),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  durationMs: z.optional(z.number()),
  frames: z.optional(z.number()),
  video: z.optional(VideoInfo),
  isClean: z.optional(z.boolean()),
  altText: z.optional(z.string()),
  source: z.optional(
    z.object({ url: z.string(), status: z.enum(['pending', 'ready', 'failed']), error: z.optional(z.string()) }),
  ),
})

/** What a platform returned for a post: JSON, opaque to the publisher. */
const Artifact = z.record(z.string(), z.unknown())

/**
 * A publishing call that may have been made and whose outcome is not stored yet. It is written before the call and
 * outlives a reschedule (pipeline rules 2 and 3, shared/README.md).
 */
export const Attempt = z.object({
  /** The version of the post that it was made for. */
  version: z.int(),
  clientKey: z.string(),
  /** When it was journaled: shortly before the call. */
  startedAtMs: z.number(),
  /** When the publishing call began. Only the worker that makes the call knows it: its record in `attempts` stores it. */
  calledAtMs: z.optional(z.number()),
  ref: Artifact,
  /** The table was restored then: the call may have been made by another key, with another preparation, or not at all. */
  restoredAtMs: z.optional(z.number()),
  /** What the call has published, according to a log line that is newer than the restored rows. */
  witness: z.optional(z.object({ id: z.nullable(z.string()), url: z.nullable(z.string()) })),
  /**
   * Other posts of the account have the same text: a post that a restored table may have sent cannot be told apart from
   * them.
   */
  isRepeated: z.optional(z.boolean()),
  /** Since when the outcome is looked up, and how many probes in a row have not found the post. */
  reconciliation: z.optional(z.object({ sinceMs: z.number(), negativeProbes: z.int() })),
})
export type Attempt = z.infer<typeof Attempt>

/** The preparation at the platform for this version of the post, or how to resume it (pipeline rule 7, shared/README.md). */
const Preparation = z.union([z.object({ ready: Artifact, expiresAtMs: z.number() }), z.object({ resume: Artifact })])

/** The comment that follows a post once it is live, as its author wrote it, and how it ended. */
const PostComment = z.object({
  text: z.string(),
  delaySeconds: z.int(),
  ended: z.optional(
    z.object({
      atMs: z.number(),
      /** The platform's id and the address of the live comment; null if the platform gave none. */
      platformId: z.optional(z.nullable(z.string())),
      url: z.optional(z.nullable(z.string())),
      /** Why it is not live, and whether it may be. */
      error: z.optional(z.string()),
      mayBeLive: z.optional(z.boolean()),
    }),
  ),
})

/** A post as stored: what the user requested, and the state of its publication. */
export const Post = z.object({
  id: z.string(),
  workspaceId: z.string(),
  groupId: z.string(),
  /** The caller's own id, the same for all posts of a request. */
  externalId: z.optional(z.string()),
  socialAccountId: z.string(),
  platform: z.enum(platformIds),
  status: z.enum(postStatuses),
  /** Text up to 4 KB; longer text is stored in the body row `bodyId`. */
  content: z.optional(z.string()),
  bodyId: z.optional(z.string()),
  /** The platform's metadata block as JSON text: the input can be deeper and have more attributes than a row allows. */
  metadata: z.optional(z.string()),
  media: z.array(Media),
  /** How many of them are not fetched yet. The number only decreases within a version, so that a late writer is detected. */
  pendingImports: z.optional(z.int()),
  /** Why the post cannot be published with the files that were fetched for it. */
  mediaError: z.optional(z.string()),
  /** The files that metadata fields name, by field. */
  assets: z.optional(z.record(z.string(), Media)),
  firstComment: z.optional(PostComment),
  /** The time that the user requested. */
  scheduledAt: z.string(),
  /** When the post is published: the same, plus a natural delay. */
  scheduledAtMs: z.number(),
  createdAt: z.string(),
  publishedPostUrl: z.nullable(z.string()),
  /** The platform's id of the live post. */
  platformPostId: z.optional(z.nullable(z.string())),
  /** When it became known that the post is live. */
  publishedAtMs: z.optional(z.number()),
  /** When the live post was removed from its platform, or why that is not possible. */
  liveDeletedAtMs: z.optional(z.number()),
  liveDeletionError: z.optional(z.string()),
  /** When the live post was last edited at its platform, and why the last edit after that is not possible. */
  liveEditedAtMs: z.optional(z.number()),
  liveEditError: z.optional(z.string()),
  error: z.nullable(z.string()),
  /** For a failed post: the reason as a code, and whether it is certain that no part of it is live. */
  reason: z.optional(z.enum(failureReasons)),
  retrySafe: z.optional(z.boolean()),
  /** Increases with every reschedule and cancellation; a message with another version is stale. */
  version: z.int(),
  /** Counts the events of this post. */
  sequence: z.int(),
  /** The id of the last of them. */
  lastEventId: z.optional(z.string()),
  /** The fencing token: increases with each claim, so that a worker that lost its lease can no longer write. */
  leaseToken: z.int(),
  /** The right to publish: no other worker can claim the post before it ends. */
  leaseUntilMs: z.optional(z.number()),
  attempt: z.optional(Attempt),
  /** The newest attempts that have ended, oldest first. */
  attempts: z.optional(z.array(AttemptRecord)),
  /** The idempotency key of the attempts of this version. It outlives them, so that a late call creates no second post. */
  clientKey: z.optional(z.string()),
  preparation: z.optional(Preparation),
  /** The right to prepare: no other worker prepares the post before it ends. */
  prepareLeaseUntilMs: z.optional(z.number()),
  prepareLeaseToken: z.optional(z.int()),
  /** The publisher's message is in its queue. */
  publishQueued: z.optional(z.boolean()),
  /** Since when the publisher waits for the platform to process the media of this version. */
  mediaPendingSinceMs: z.optional(z.number()),
  /** Claims of this version whose worker crashed. */
  crashedAttempts: z.int(),
  /** Attempts of this version that certainly failed and can be repeated. */
  failedAttempts: z.int(),
  /** When an earlier attempt of this version was presumed lost: a rejection as a duplicate means that it was not. */
  presumedLostAtMs: z.optional(z.number()),
  /**
   * An attempt of an earlier version may be live: the platform cannot tell, and the author rescheduled the post knowing it.
   */
  earlierMayBeLive: z.optional(z.boolean()),
  /** The end of a wait, which an earlier message does not shorten. */
  dueAtMs: z.optional(z.number()),
  /** When the sweeper looks next. */
  sweepAtMs: z.optional(z.number()),
  /** The month in whose cap on X this post holds slots. */
  capMonth: z.optional(z.string()),
  /** For a tweet of a thread: its position, from 0. Its id is the id of the group and its position. */
  thread: z.optional(z.object({ index: z.int(), total: z.int() })),
  /** The platform's id of the previous tweet. A tweet without it waits for its turn. */
  replyTo: z.optional(z.string()),
})
export type Post = z.infer<typeof Post>

export const posts = entity({
  type: 'Post',
  shape: Post,
  key: ({ workspaceId, id }: Pick<Post, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}#POST`, SK: id }),
  indexes: (post) => ({
    ...indexKeys(post, post.status),
    ...(post.externalId === undefined ? {} : { waitingKey: externalKey(post.workspaceId, post.externalId) }),
  }),
})

/**
 * The attribute `waitingKey` of a post with an external id: it shares the index of waiting deliveries, in which a post
 * without one has no entry.
 */
export const externalKey = (workspaceId: string, externalId: string): string =>
  `WS#${workspaceId}#EXTERNAL#${externalId}`

/**
 * Whether the posts with a status have a separate list in the index `status`: those that need attention. Most posts are
 * scheduled and published without an entry, which saves three write units each; lists of them read the index `account`.
 */
export const isInStatusIndex = (status: PostStatus): boolean => status === 'failed' || status === 'cancelled'

/** The index attributes of a post with a status; they change with the status. */
export const indexKeys = (post: Pick<Post, 'workspaceId' | 'socialAccountId'>, status: PostStatus) => ({
  accountKey: accountKeyOf(post),
  statusKey: isInStatusIndex(status) ? statusKeyOf(post.workspaceId, status) : undefined,
})

export const accountKeyOf = ({ workspaceId, socialAccountId }: Pick<Post, 'workspaceId' | 'socialAccountId'>): string =>
  `WS#${workspaceId}#A#${socialAccountId}`

export const statusKeyOf = (workspaceId: string, status: PostStatus): string => `WS#${workspaceId}#S#${status}`

export const packMetadata = (metadata: unknown): string | undefined =>
  metadata === undefined ? undefined : JSON.stringify(metadata)

export const metadataOf = (post: Pick<Post, 'metadata'>): unknown =>
  post.metadata === undefined ? undefined : JSON.parse(post.metadata)

/** The fields with which every version of a post starts. */
export const noAttempts = { crashedAttempts: 0, failedAttempts: 0 } as const

/** The fields with which a new post starts. */
export const neverClaimed = { leaseToken: 0, ...noAttempts } as const

/** The path of how the first comment ended. */
export const commentEndPath = 'firstComment.ended'

/** The path of the field that says since when the outcome of the attempt is looked up. */
export const reconciliationPath = 'attempt.reconciliation'

/** The path that probes of the attempt query. */
export const attemptRefPath = 'attempt.ref'
