import { go, to } from '../route.ts'
import { attempt, say } from '../service.ts'
import { api, changes, type Post, zone } from '../store.ts'
import { dayIn, formatMoment, now } from '../time.ts'
import { storeDescriptions } from './draft.ts'
import { contentOf, targetsOf, threadOf } from './request.ts'
import { change, type Form, filesIn, forget, form, isThread } from './state.ts'

/**
 * Sends a thread to one account after the other, or at once without `scheduledAt`. An account that has it is no longer chosen,
 * so that another try after an error sends none twice.
 */
const sendThreads = async (workspaceId: string, current: Form, scheduledAt: string | undefined) => {
  const heads: Post[] = []
  for (const { id } of targetsOf(current)) {
    const thread = threadOf(current, id)
    const options = { idempotencyKey: `${current.idempotencyKey}-${id}` }
    const sent = await attempt(() =>
      scheduledAt === undefined
        ? api().posts.publishThreadNow(thread, options)
        : api().posts.scheduleThread({ ...thread, scheduledAt }, options),
    )
    if (sent === undefined) return undefined
    heads.push(sent.threadHeadPost)
    const { accountIds, idempotencyKey } = form.value
    change(workspaceId, { accountIds: accountIds.filter((other) => other !== id), idempotencyKey })
  }
  return heads
}

/** A form with the moment of its day and time; undefined where the clocks skip it. */
interface Request {
  workspaceId: string
  current: Form
  momentMs: number | undefined
}

/** What has to be done before the form can be sent. */
export const problemOf = ({ current, momentMs }: Pick<Request, 'current' | 'momentMs'>): string | undefined => {
  const isWaiting = filesIn(current).some(({ id }) => id === undefined)
  if (isWaiting) return 'Still uploading a file. Wait for it, or remove it.'
  if (targetsOf(current).length === 0) return 'Choose an account.'
  return current.when === 'later' && momentMs === undefined ? 'Choose a day and a time.' : undefined
}

/** Sends the form; undefined after an error. */
export const send = async ({ workspaceId, current, momentMs }: Request): Promise<readonly Post[] | undefined> => {
  const { idempotencyKey } = current
  const body = contentOf(current)
  const scheduledAt = current.when === 'now' ? undefined : new Date(momentMs ?? 0).toISOString()
  if (!(await storeDescriptions(workspaceId))) return undefined
  if (isThread(current)) return sendThreads(workspaceId, current, scheduledAt)
  return attempt(() =>
    scheduledAt === undefined
      ? api().posts.publishNow(body, { idempotencyKey })
      : api().posts.schedule({ ...body, scheduledAt }, { idempotencyKey }),
  )
}

/** Empties the form, and shows what was sent. */
export const showSent = async ({ workspaceId, current, momentMs }: Request, sent: readonly Post[]): Promise<void> => {
  const { draft } = current
  if (draft !== undefined) await attempt(() => api().drafts.delete(draft.id))
  forget(workspaceId)
  changes.value += 1
  const [first] = sent
  const count = `${sent.length} ${isThread(current) ? 'thread' : 'post'}${sent.length === 1 ? '' : 's'}`
  say(
    current.when === 'now'
      ? `Publishing ${count}…`
      : `${count} scheduled for ${formatMoment(momentMs ?? 0, zone.value)}`,
  )
  go(
    current.when === 'now' && sent.length === 1 && first !== undefined
      ? to(`post/${first.id}`)
      : to('calendar', { day: current.when === 'now' ? dayIn(now(), zone.value) : current.day }),
  )
}
