import { sweepAt } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import type { ChangedField } from '../../events/families/posts.ts'
import { pendingImportsOf } from '../../media/media-file.ts'
import { definitionOf } from '../../platforms/definitions.ts'
import { firstSweepMs } from '../dispatch/schedule.ts'
import type { PlannedPost } from '../intake/plan.ts'
import { metadataOf, type Post, packMetadata } from '../lifecycle/row.ts'
import { reschedule } from '../lifecycle/writes.ts'
import { monthOf } from '../x-cap.ts'

/** A post before and after a change, and its text after it. */
export interface Changed {
  before: Post
  after: Post
  content: string
  /** The fields whose value the change replaced, other than the time. */
  fields: ChangedField[]
}

/** What a change sets in a post; absent parts stay unchanged. */
export interface Change {
  scheduledAt: string | undefined
  planned: PlannedPost | undefined
  /** Null removes it. */
  externalId: string | null | undefined
  store: (text: string) => Pick<Post, 'content' | 'bodyId'>
}

const timeOf = (post: Post, scheduledAt: string | undefined) => {
  if (scheduledAt === undefined) return {}
  const scheduledAtMs = Date.parse(scheduledAt)
  return {
    scheduledAt,
    scheduledAtMs,
    ...(definitionOf(post.platform).hasMonthlyCap ? { capMonth: monthOf(scheduledAtMs) } : {}),
  }
}

const madeOf = (planned: PlannedPost | undefined) =>
  planned === undefined
    ? {}
    : {
        metadata: packMetadata(planned.metadata),
        media: planned.media,
        pendingImports: pendingImportsOf(planned.media),
        mediaError: undefined,
        assets: planned.assets,
        firstComment: planned.firstComment,
      }

const idsOf = ({ media }: Post) => media.map(({ id }) => id).join()

const isSameComment = ({ firstComment: one }: Post, { firstComment: other }: Post) =>
  one?.text === other?.text && one?.delaySeconds === other?.delaySeconds

const fieldsOf = (before: Post, after: Post, isSameText: boolean): ChangedField[] => {
  const differs: Record<ChangedField, boolean> = {
    content: !isSameText,
    mediaUrls: idsOf(before) !== idsOf(after),
    metadata: JSON.stringify(metadataOf(before)) !== JSON.stringify(metadataOf(after)),
    firstComment: !isSameComment(before, after),
    externalId: before.externalId !== after.externalId,
  }
  return (Object.keys(differs) as ChangedField[]).filter((field) => differs[field])
}

/** The next version of a post. */
export const nextVersion = (post: Post, content: string, change: Change): Changed => {
  const { scheduledAt, planned, externalId, store } = change
  const isSameText = planned === undefined || planned.content === content
  const { reason: _, retrySafe: __, ...rest } = post
  const after: Post = {
    ...rest,
    ...(isSameText ? { content: post.content, bodyId: post.bodyId } : store(planned.content)),
    ...madeOf(planned),
    ...timeOf(post, scheduledAt),
    ...(externalId === undefined ? {} : { externalId: externalId ?? undefined }),
    status: 'scheduled',
    error: null,
    version: post.version + 1,
    sequence: post.sequence + 1,
  }
  return { before: post, after, content: planned?.content ?? content, fields: fieldsOf(post, after, isSameText) }
}

/** The write that stores it. */
export const versionRow = ({ before, after }: Changed, now: number, eventId: string): Write => {
  const { content, bodyId, scheduledAt, scheduledAtMs, metadata, capMonth, version, externalId } = after
  const { media, pendingImports, mediaError, assets, firstComment } = after
  const files = { media, pendingImports, mediaError, assets }
  const text = { content, bodyId, metadata, firstComment }
  const next = { ...text, scheduledAt, scheduledAtMs, ...files, capMonth, version, externalId }
  return reschedule(before, next, sweepAt(after.id, firstSweepMs(after, now)), now, eventId)
}
