import type { Write } from '../../db/table.ts'
import { changeable } from './condition.ts'
import type { Post } from './row.ts'
import { statusWrite } from './write.ts'

/** The post never goes out. Messages and claims of its version meet another one. */
export const cancel = (post: Post, nowMs: number): Write =>
  statusWrite('cancel', {
    post,
    to: 'cancelled',
    change: { add: { version: 1 } },
    when: changeable(post, nowMs),
  })
