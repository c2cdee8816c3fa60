import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { present } from '../../db/expression.ts'
import { workFields } from '../../db/lease.ts'
import { work } from '../../db/work.ts'
import { type PlatformId, platformIds } from '../../resources.ts'
import { Attempt, type Post } from '../lifecycle/row.ts'
import { publishQueue } from '../lifecycle/work.ts'

/** The fields of every work on a live post. */
const fields = {
  /** The ID of the post. */
  id: z.string(),
  workspaceId: z.string(),
  socialAccountId: z.string(),
  platform: z.enum(platformIds),
  requestedAtMs: z.number(),
  failedTries: z.int(),
  ...workFields,
  sweepAtMs: z.optional(z.number()),
}
export type LiveWorkRow = Pick<Post, 'id' | 'workspaceId' | 'socialAccountId' | 'platform'> & {
  requestedAtMs: number
  failedTries: number
  leaseToken?: number | undefined
}

const ref = z.object({ workspaceId: z.string(), id: z.string(), platform: z.enum(platformIds) })

/**
 * Work on a live post is done by the worker that publishes on its platform, which has the connectors and their limits.
 * `body` is its message, which names the post.
 */
const spec = <Body>(body: (ref: { workspaceId: string; id: string }) => Body) => ({
  queue: 'prepare' as const,
  timeoutSeconds: 60,
  open: present('PK'),
  ref,
  message: (row: { workspaceId: string; id: string; platform: PlatformId }) => ({
    queue: publishQueue(row),
    body: body(row),
    group: row.workspaceId,
  }),
})

/** A row of a post in the partition of one kind of work. */
const keyIn =
  (partition: (workspaceId: string) => string) =>
  ({ workspaceId, id }: Pick<Post, 'workspaceId' | 'id'>) => ({ PK: partition(workspaceId), SK: id })

// The removal of a live post from its platform, until the platform has done it or has refused.

const LiveDeletion = z.object(fields)
export type LiveDeletion = z.infer<typeof LiveDeletion>

export const liveDeletionsOf = (workspaceId: string): string => `WS#${workspaceId}#LIVEDELETION`

export const liveDeletions = entity({ type: 'LiveDeletion', shape: LiveDeletion, key: keyIn(liveDeletionsOf) })

/** The message to publish-post: it removes a live post. */
export const LiveDeletionMessage = z.object({ workspaceId: z.string(), liveDeletionId: z.string() })
export type LiveDeletionMessage = z.infer<typeof LiveDeletionMessage>

export const liveDeletionWork = work({
  entity: liveDeletions,
  ...spec(({ workspaceId, id }): LiveDeletionMessage => ({ workspaceId, liveDeletionId: id })),
})

// The edit of a live post at its platform, until the platform has accepted or rejected it. A later edit replaces it.

const LiveEdit = z.object({
  ...fields,
  /** Increases with every request: a try ends the work only if no later request arrived in the meantime. */
  edition: z.int(),
  /** The text and the metadata that the post gets, packed as in the post. */
  content: z.string(),
  metadata: z.optional(z.string()),
})
export type LiveEdit = z.infer<typeof LiveEdit>

export const liveEditsOf = (workspaceId: string): string => `WS#${workspaceId}#LIVEEDIT`

export const liveEdits = entity({ type: 'LiveEdit', shape: LiveEdit, key: keyIn(liveEditsOf) })

/** The message to publish-post: it edits a live post. */
export const LiveEditMessage = z.object({ workspaceId: z.string(), liveEditId: z.string() })
export type LiveEditMessage = z.infer<typeof LiveEditMessage>

export const liveEditWork = work({
  entity: liveEdits,
  ...spec(({ workspaceId, id }): LiveEditMessage => ({ workspaceId, liveEditId: id })),
})

// The first comment under a live post, until it is live or has failed. Its text is in the post.

const FirstComment = z.object({
  ...fields,
  /** Where to resume a preparation that waits for the platform. */
  resume: z.optional(z.record(z.string(), z.unknown())),
  /** The idempotency key of all attempts, so that a late call creates no second comment. */
  clientKey: z.optional(z.string()),
  /** A call that may have been made, and whose outcome is not known yet. */
  attempt: z.optional(Attempt),
  /** When an earlier attempt was presumed lost: a rejection as a duplicate means that it was not. */
  presumedLostAtMs: z.optional(z.number()),
})
export type FirstComment = z.infer<typeof FirstComment>

/**
 * When the first comment of a post is due if the post is published on time. It depends on the post alone, so it is the same
 * after a restore.
 */
export const commentDueMs = ({ scheduledAtMs, firstComment }: Pick<Post, 'scheduledAtMs' | 'firstComment'>): number =>
  scheduledAtMs + (firstComment?.delaySeconds ?? 0) * 1000

/** The ID of a first comment, from which its keys are derived. It differs from that of its post. */
export const commentIdOf = ({ id }: Pick<Post, 'id'>): string => `${id}c`

export const firstCommentsOf = (workspaceId: string): string => `WS#${workspaceId}#FIRSTCOMMENT`

export const firstComments = entity({ type: 'FirstComment', shape: FirstComment, key: keyIn(firstCommentsOf) })

/** The message to publish-post: it publishes the first comment of a live post. */
export const FirstCommentMessage = z.object({ workspaceId: z.string(), firstCommentId: z.string() })
export type FirstCommentMessage = z.infer<typeof FirstCommentMessage>

export const firstCommentWork = work({
  entity: firstComments,
  ...spec(({ workspaceId, id }): FirstCommentMessage => ({ workspaceId, firstCommentId: id })),
  // As for a post: by then, accepted posts are visible in the platform's lists.
  extraLeaseMs: 45_000,
})
