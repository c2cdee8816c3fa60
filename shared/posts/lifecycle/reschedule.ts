import { notSwept } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import { changeable } from './condition.ts'
import { externalKey, noAttempts, type Post, reconciliationPath } from './row.ts'
import { awaitsTurn } from './state.ts'
import { statusWrite } from './write.ts'

/** The content of a new version of a post; undefined fields are removed from the row. */
export type NewVersion = Pick<
  Post,
  | 'content'
  | 'bodyId'
  | 'metadata'
  | 'media'
  | 'pendingImports'
  | 'mediaError'
  | 'assets'
  | 'scheduledAt'
  | 'scheduledAtMs'
  | 'capMonth'
  | 'version'
  | 'externalId'
>

/**
 * The post with its new time or content, as its next version. The reconciliation of an unconfirmed attempt starts again (pipeline
 * rule 3, shared/README.md).
 */
export const reschedule = (post: Post, next: NewVersion, sweep: object, nowMs: number, eventId: string): Write => {
  const { externalId } = next
  const waitingKey = externalId === undefined ? undefined : externalKey(post.workspaceId, externalId)
  const gone = Object.entries({ ...next, waitingKey }).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const waits = awaitsTurn(post)
  return statusWrite('reschedule', {
    post,
    change: {
      set: { ...next, waitingKey, ...noAttempts, error: null, ...(waits ? {} : sweep) },
      remove: [...gone, ...(waits ? notSwept : []), ...(post.attempt === undefined ? [] : [reconciliationPath])],
    },
    when: changeable(post, nowMs),
    eventId,
  })
}
