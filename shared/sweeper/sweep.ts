import * as z from 'zod/mini'
import { backlog, sendAll } from '../aws/queue.ts'
import { type Context, measured } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { allOf, atMost, equal } from '../db/expression.ts'
import type { SweepMessage } from '../db/sweep-rule.ts'
import { type Item, keyOf, query, update } from '../db/table.ts'
import { type IsPaused, nameTable, readPauses } from '../pauses/pauses.ts'
import { apiEndsOn, noticesDue } from '../platforms/api-end.ts'
import { definitions } from '../platforms/definitions.ts'
import { platformIds, type QueueName, sweepShards } from '../resources.ts'
import { minuteMs } from '../time.ts'
import { SweptRow, sweepRules } from './rules.ts'

/** After this many messages, and fifteen minutes, a row should have been processed. */
const messagesInVain = 4

/** Names the first of some rows. */
const firstOf = ([first]: readonly SweptRow[]) =>
  first === undefined ? {} : { PK: first.PK, SK: first.SK, type: first.type }

/**
 * Counts the rows of each queue whose messages were sent without effect, and logs one line for each queue, and one line for
 * all rows that this release cannot resume.
 */
const watchOverdue = (ctx: Context) => {
  const overdue: { row: SweptRow; queue: QueueName }[] = []
  const left: SweptRow[] = []
  return {
    see: (row: SweptRow, queue: QueueName): void => {
      if ((row.sweepCount ?? 0) >= messagesInVain) overdue.push({ row, queue })
    },
    leave: (row: SweptRow): void => void left.push(row),
    log: (): void => {
      if (left.length > 0) ctx.log.warn('rows of a newer release are left', { rows: left.length, ...firstOf(left) })
      for (const [queue, inVain] of Map.groupBy(overdue, ({ queue }) => queue)) {
        const rows = inVain.map(({ row }) => row)
        const metric = measured(ctx, { name: 'OverdueWork', value: 1 })
        ctx.log.warn('work is overdue', { queue, rows: rows.length, ...firstOf(rows), ...metric })
      }
    },
  }
}

const waitsMinutes = [1, 2, 4, 8, 15] as const
/** The number of rows read from a shard at a time, and written concurrently: a page of all shards takes about 2 s. */
const perPage = 100
const atOnce = 10
/** A queue with more messages is full: the sweeper sends it no more. */
const fullQueue = 10_000
/** The function has 58 s of each minute: after this long it starts no other page. */
export const stopAfterMs = 50_000

const ruleOf = new Map(sweepRules.map((rule) => [rule.type, rule]))

/** Moves a row's next sweep; false if the row has changed since it was read. */
const postpone = (ctx: Context, row: SweptRow, nowMs: number, count: 0 | 1): Promise<boolean> => {
  const minutes = waitsMinutes[Math.min(row.sweepCount ?? 0, waitsMinutes.length - 1)] ?? 15
  const change = { set: { sweepAtMs: nowMs + minutes * minuteMs }, add: { sweepCount: count } }
  return wasCurrent(update(ctx, keyOf(row), change, equal('sweepAtMs', row.sweepAtMs)))
}

/** How one run handles the rows that it finds. */
interface Run {
  nowMs: number
  untilMs: number
  /** Whether to send the message of a row; a run of `sweep` also moves the row's next sweep. */
  take(row: SweptRow): Promise<boolean>
  /** Moves a row that cannot be resumed now, so that it does not block those after it. */
  postpone(row: SweptRow): Promise<unknown>
  isFull(queue: QueueName): Promise<boolean>
  isPaused: IsPaused
  /** Notes a row that this release cannot resume. */
  leave(row: SweptRow): void
  /** Records the row of a message whose queue may not be processed. */
  see(row: SweptRow, queue: QueueName): void
}

const watchQueues = (ctx: Context) => {
  const full = new Map<QueueName, Promise<boolean>>()
  return (queue: QueueName): Promise<boolean> => {
    const known = full.get(queue) ?? backlog(ctx, queue).then((count) => count > fullQueue)
    full.set(queue, known)
    return known
  }
}

/** Whether the work of a row waits for the end of a pause. */
const mustDefer = ({ isPaused }: Run, { PK }: SweptRow, queue: QueueName): boolean => {
  const [, workspaceId] = /^WS#([^#]+)/.exec(PK) ?? []
  return isPaused({ workspaceId, platform: platformIds.find((id) => queue === `publish-${id}`) })
}

/** The message of one row, if it should be sent. An invalid row is reported and does not block the others. */
const messageOf = async (ctx: Context, run: Run, item: Item): Promise<SweepMessage | undefined> => {
  const { data: row } = z.safeParse(SweptRow, item)
  if (row === undefined) {
    ctx.log.error('a row in the sweep index is invalid', { ...keyOf(item) })
    return undefined
  }
  const message = ruleOf.get(row.type)?.messageFor(item, run.nowMs)
  if (message === undefined) {
    // From a newer release. It is postponed each time, as if its message had been sent.
    if (await run.take(row)) run.leave(row)
    return undefined
  }
  if (mustDefer(run, row, message.queue)) {
    await run.postpone(row)
    return undefined
  }
  run.see(row, message.queue)
  if (await run.isFull(message.queue)) {
    await run.postpone(row)
    return undefined
  }
  return (await run.take(row)) ? message : undefined
}

const messagesOf = async (ctx: Context, run: Run, items: readonly Item[]): Promise<SweepMessage[]> => {
  const messages: SweepMessage[] = []
  for (let from = 0; from < items.length; from += atOnce) {
    const built = await Promise.all(items.slice(from, from + atOnce).map((item) => messageOf(ctx, run, item)))
    messages.push(...built.filter((message) => message !== undefined))
  }
  return messages
}

/** Sends to every queue, even if one fails; throws the first failure. */
const sendToQueues = async (ctx: Context, messages: readonly SweepMessage[]): Promise<void> => {
  const byQueue = Map.groupBy(messages, ({ queue }) => queue)
  const sent = await Promise.allSettled([...byQueue].map(([queue, own]) => sendAll(ctx, queue, own)))
  for (const result of sent) if (result.status === 'rejected') throw result.reason
}

const sweepShard = async (ctx: Context, run: Run, shard: string): Promise<void> => {
  const key = allOf(equal('sweepShard', shard), atMost('sweepAtMs', run.untilMs))
  let after: Item | undefined
  do {
    const page = await query(ctx, { index: 'sweep', key, limit: perPage, ...(after ? { after } : {}) })
    await sendToQueues(ctx, await messagesOf(ctx, run, page.items))
    after = page.next
  } while (after !== undefined && ctx.clock.now() - run.nowMs < stopAfterMs)
}

/**
 * Enqueues the messages of all rows that are due in a run; throws the first failure after every shard was processed.
 */
const enqueueDue = async (ctx: Context, run: Run): Promise<void> => {
  const shards = Array.from({ length: sweepShards }, (_, n) => sweepShard(ctx, run, `SWEEP#${n}`))
  for (const result of await Promise.allSettled(shards)) if (result.status === 'rejected') throw result.reason
}

/**
 * Logs and measures the APIs of platforms that end soon, since an operator who deploys no newer release does not learn about
 * it anywhere else.
 */
const warnOfApiEnds = (ctx: Context, nowMs: number): void => {
  const ends = definitions.flatMap((platform) => {
    const endsOn = apiEndsOn(ctx, platform)
    const notices = endsOn === null ? 0 : noticesDue(platform, endsOn, nowMs)
    return notices === 0
      ? []
      : [{ api: [platform.id, platform.api.version, endsOn].filter(Boolean).join(' '), notices }]
  })
  if (ends.length === 0) return
  const value = ends.reduce((sum, { notices }) => sum + notices, 0)
  const apis = ends.map(({ api }) => api).join(', ')
  ctx.log.warn('APIs of platforms end', { apis, ...measured(ctx, { name: 'ApiEndNotices', value }) })
}

/**
 * Enqueues the message of every due row, and moves its next sweep; does nothing while the deployment is paused. The sweeper
 * changes nothing else.
 */
export const sweep = async (ctx: Context): Promise<void> => {
  const nowMs = ctx.clock.now()
  warnOfApiEnds(ctx, nowMs)
  const { isPaused, isNamed, isRestored, isUnknown } = await readPauses(ctx)
  if (isRestored) return ctx.log.error('the table was restored, and nothing is sent: run the command after-restore')
  if (!isNamed) await nameTable(ctx)
  if (isUnknown) {
    const reason =
      'a pause of a newer release stops all publishing and all webhooks: deploy that release again, or run the command resume'
    const metric = measured(ctx, { name: 'OperatorActionNeeded', value: 1 })
    return ctx.log.error('operator action needed', { reason, ...metric })
  }
  if (isPaused({})) return ctx.log.warn('the deployment is paused')
  const overdue = watchOverdue(ctx)
  const run: Run = {
    nowMs,
    untilMs: nowMs,
    take: (row) => postpone(ctx, row, nowMs, 1),
    postpone: (row) => postpone(ctx, row, nowMs, 0),
    isFull: watchQueues(ctx),
    isPaused,
    leave: overdue.leave,
    see: overdue.see,
  }
  await enqueueDue(ctx, run).finally(overdue.log)
}

/**
 * Enqueues the messages of all rows that are due within a time, because messages in flight may be lost. It changes no
 * rows, so that it can be repeated, and the sweeps of `sweep` happen when they would have.
 */
export const enqueueDueWithin = async (ctx: Context, withinMs: number): Promise<void> => {
  const nowMs = ctx.clock.now()
  await enqueueDue(ctx, {
    nowMs,
    untilMs: nowMs + withinMs,
    take: async () => true,
    postpone: async () => undefined,
    isFull: watchQueues(ctx),
    isPaused: (await readPauses(ctx)).isPaused,
    leave: () => undefined,
    see: () => undefined,
  })
}
