import * as z from 'zod/mini'
import { orLeaveToSweeper, sendAll } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { present } from '../../db/expression.ts'
import { work } from '../../db/work.ts'
import { notifyWorker } from '../worker.ts'
import { type Push, pushes } from './push.ts'

/** The message to notify: rows that are sent, or looked up, together. */
export const PushesMessage = z.object({ pushes: z.array(z.object({ userId: z.string(), id: z.string() })) })
export type PushesMessage = z.infer<typeof PushesMessage>

/** A push is sent, and then its ticket is looked up. */
export const pushWork = work({
  entity: pushes,
  ...notifyWorker,
  open: present('PK'),
  ref: z.object({ userId: z.string(), id: z.string() }),
  message: ({ userId, id }) => {
    const body: PushesMessage = { pushes: [{ userId, id }] }
    return { body, group: userId }
  },
})

/** As many as Expo accepts in one call. */
const perMessage = 100

/** Enqueues rows, with a delay if one is given. The sweeper sends messages that the queue rejects. */
export const enqueuePushes = (
  ctx: Context,
  due: readonly Pick<Push, 'userId' | 'id'>[],
  delaySeconds = 0,
): Promise<void> => {
  const starts = Array.from({ length: Math.ceil(due.length / perMessage) }, (_, n) => n * perMessage)
  const messages = starts.map((from) => {
    const pushes = due.slice(from, from + perMessage).map(({ userId, id }) => ({ userId, id }))
    const body: PushesMessage = { pushes }
    return { body, group: pushes[0]?.userId ?? '', delaySeconds }
  })
  return orLeaveToSweeper(ctx, { queue: 'notify', pushes: due.length }, () => sendAll(ctx, 'notify', messages))
}
