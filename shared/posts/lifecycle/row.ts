import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { failureReasons } from '../../events/payloads.ts'
import { platformIds } from '../../resources.ts'

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
  altText: z.optional(z.string()),
})

/** What a platform gave for a post: JSON, opaque to the publisher. */
const Artifact = z.record(z.string(), z.unknown())

/** The right to publish: nobody else claims the post before it ends. */
const Lease = z.object({ untilMs: z.number() })

/**
 * A publishing call that may have been made and whose outcome is not stored yet. It is written before the call and outlives
 * a reschedule (pipeline rules 2 and 3).
 */
const Attempt = z.object({
  /** The version of the post that it was made for. */
  version: z.int(),
  clientKey: z.string(),
  startedAtMs: z.number(),
  ref: Artifact,
  /** The outcome is looked for: since when, and how many probes in a row have not found the post. */
  reconciliation: z.optional(z.object({ sinceMs: z.number(), negativeProbes: z.int() })),
})
export type Attempt = z.infer<typeof Attempt>

/** What was prepared at the platform for this version of the post, or how to resume preparing it (pipeline rule 7). */
const Preparation = z.union([z.object({ ready: Artifact, expiresAtMs: z.number() }), z.object({ resume: Artifact })])

/** A post as it is stored: what the user asked for, and where its publication stands. */
export const Post = z.object({
  id: z.string(),
  workspaceId: z.string(),
  groupId: z.string(),
  socialAccountId: z.string(),
  platform: z.enum(platformIds),
  status: z.enum(postStatuses),
  /** Text up to 4 KB; longer text is stored in the body row `bodyId`. */
  content: z.optional(z.string()),
  bodyId: z.optional(z.string()),
  /** The platform's metadata block as JSON text: what a caller sends may be deeper and larger in number than a row takes. */
  metadata: z.optional(z.string()),
  media: z.array(Media),
  /** The files that metadata fields name, by field. */
  assets: z.optional(z.record(z.string(), Media)),
  /** What the user asked for. */
  scheduledAt: z.string(),
  /** When it goes out: the same, plus a natural delay. */
  scheduledAtMs: z.number(),
  createdAt: z.string(),
  publishedPostUrl: z.nullable(z.string()),
  /** The platform's own id of what is live. */
  platformPostId: z.optional(z.nullable(z.string())),
  error: z.nullable(z.string()),
  /** Of a failed post: why, for programs, and whether it is certain that nothing of it is live. */
  reason: z.optional(z.enum(failureReasons)),
  retrySafe: z.optional(z.boolean()),
  /** Rises with every reschedule and cancel; a message of another version is stale. */
  version: z.int(),
  /** Counts the events of this post. */
  sequence: z.int(),
  /** The fence: rises with each claim, so that who lost its lease writes nothing any more. */
  leaseToken: z.int(),
  lease: z.optional(Lease),
  attempt: z.optional(Attempt),
  /** The key of the attempts at this version. It outlives them: a call that arrives late then makes no second post. */
  clientKey: z.optional(z.string()),
  preparation: z.optional(Preparation),
  /** Until then another worker prepares the post. */
  preparingUntilMs: z.optional(z.number()),
  /** The publisher's message is in its queue. */
  publishQueued: z.optional(z.boolean()),
  /** Since when the publisher waits for the platform to process the media of this version. */
  mediaPendingSinceMs: z.optional(z.number()),
  /** Claims of this version whose holder crashed. */
  crashedAttempts: z.int(),
  /** Attempts at this version that certainly failed, and may be tried again. */
  failedAttempts: z.int(),
  /** An earlier attempt at this version was presumed lost: a rejection as a duplicate means that it was not. */
  presumedLostAtMs: z.optional(z.number()),
  /** A wait that was decided on: a message that comes before its end is not the one that ends it. */
  notBeforeMs: z.optional(z.number()),
  /** When the sweeper looks next. */
  sweepAtMs: z.optional(z.number()),
  /** The month in whose cap on X this post holds a place. */
  capMonth: z.optional(z.string()),
  /** A tweet of a thread: its place, from 0. The id of each is that of the group and its place. */
  thread: z.optional(z.object({ index: z.int(), total: z.int() })),
  /** The platform's id of the tweet before. A tweet without it waits for its turn. */
  replyTo: z.optional(z.string()),
})
export type Post = z.infer<typeof Post>

export const posts = entity({
  type: 'Post',
  shape: Post,
  key: ({ workspaceId, id }: Pick<Post, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}#POST`, SK: id }),
  indexes: (post) => indexKeys(post, post.status),
})

/** Index attributes of a post in a status; they move with it. */
export const indexKeys = (post: Pick<Post, 'workspaceId' | 'id' | 'socialAccountId'>, status: PostStatus) => ({
  accountKey: `WS#${post.workspaceId}#A#${post.socialAccountId}`,
  accountSort: `${status}#${post.id}`,
  statusKey: `WS#${post.workspaceId}#S#${status}`,
})

export const packMetadata = (metadata: unknown): string | undefined =>
  metadata === undefined ? undefined : JSON.stringify(metadata)

export const metadataOf = (post: Pick<Post, 'metadata'>): unknown =>
  post.metadata === undefined ? undefined : JSON.parse(post.metadata)

/** What every version of a post starts with. */
export const noAttempts = { crashedAttempts: 0, failedAttempts: 0 } as const

/** What a new post starts with. */
export const neverClaimed = { leaseToken: 0, ...noAttempts } as const

/** Where the row says since when the outcome of its attempt is looked for. */
export const reconciliationPath = 'attempt.reconciliation'
