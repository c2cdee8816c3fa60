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

const Artefact = z.record(z.string(), z.unknown())

/** A post as it is stored: what the user asked for, and where its publication stands. */
export const Post = z.object({
  id: z.string(),
  workspaceId: z.string(),
  groupId: z.string(),
  socialAccountId: z.string(),
  platform: z.enum(platformIds),
  status: z.enum(postStatuses),
  /** Text up to 4 KB; longer text lies in the body row `bodyId`. */
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
  /** The publisher's message is in its queue. */
  held: z.optional(z.boolean()),
  prepareLeaseUntilMs: z.optional(z.number()),
  /** What was prepared at the platform, for one version. */
  prepared: z.optional(z.object({ version: z.int(), ref: Artefact, expiresAtMs: z.number() })),
  /** A preparation that waits for the platform. */
  resume: z.optional(z.object({ version: z.int(), ref: Artefact })),
  leaseToken: z.optional(z.int()),
  leaseUntilMs: z.optional(z.number()),
  /** An attempt was journaled and its outcome is not known; outlives versions (pipeline rule 3). */
  maybeLanded: z.optional(z.boolean()),
  clientKey: z.optional(z.string()),
  armedAtMs: z.optional(z.number()),
  armedRef: z.optional(Artefact),
  armedVersion: z.optional(z.int()),
  /** Claims of this version that ended without a word. */
  deadClaims: z.optional(z.int()),
  /** Tries of this version of which nothing came, for certain. */
  retries: z.optional(z.int()),
  /** A wait that was decided on: a message that comes before its end is not the one that ends it. */
  notBeforeMs: z.optional(z.number()),
  negativeProbes: z.optional(z.int()),
  settleFromMs: z.optional(z.number()),
  sweepAtMs: z.optional(z.number()),
  /** The month in whose cap on X this post holds a place. */
  capMonth: z.optional(z.string()),
  /** A tweet of a thread: its place, from 0. The id of each is that of the group and its place. */
  thread: z.optional(z.object({ index: z.int(), total: z.int() })),
  /** The platform's id of the tweet before; a tweet without it waits for its turn. */
  replyTo: z.optional(z.string()),
  /** An earlier attempt at this version was taken for lost at this moment: a refusal as a duplicate means it was not. */
  doubtedAtMs: z.optional(z.number()),
  /** Since when the publisher waits for the platform to process the media of this version. */
  waitsFromMs: z.optional(z.number()),
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
