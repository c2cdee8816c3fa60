import type { Write } from '../../db/table.ts'
import { changeable } from './condition.ts'
import type { Post } from './row.ts'
import { statusWrite } from './write.ts'

/** Cancels a post. Messages and claims of its version have no effect any longer. */
export const cancel = (post: Post, nowMs: number, eventId: string): Write =>
  statusWrite('cancel', {
    post,
    change: { add: { version: 1 } },
    when: changeable(post, nowMs),
    eventId,
  })
