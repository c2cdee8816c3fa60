import type * as z from 'zod/mini'
import { enqueueOrSweep, maxDelaySeconds, orLeaveToSweeper, type QueueMessage, send } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import type { QueueName } from '../resources.ts'
import { ConditionFailed, ifCurrent, wasCurrent } from './condition-failed.ts'
import type { Entity } from './entity.ts'
import { absent, allOf, anyOf, atMost, type Change, type Condition, present } from './expression.ts'
import { type Claimed, claimedOf, LeaseLost, lease, leaseOf, type WorkRow } from './lease.ts'
import { notSwept, sweepAt, sweepGraceMs } from './sweep-at.ts'
import { type SweepMessage, sweepRule } from './sweep-rule.ts'
import { update, updateOnly } from './table.ts'

/** A queue can deliver early by the difference of two clocks. */
const clockSkewMs = 100

interface WorkSpec<Row, Parts, Ref> {
  entity: Entity<Row, Parts>
  queue: QueueName
  /** The timeout of the worker. The lease is longer. */
  timeoutSeconds: number
  /** Extra lease time beyond the worker's timeout, in milliseconds. */
  extraLeaseMs?: number
  /** How long the message of a due step has to arrive before the sweeper sends it again, in milliseconds. */
  graceMs?: number
  /** Whether the row has work left. */
  open: Condition
  /** What others change while a worker holds the row. The writes of the worker require that it is unchanged since the claim. */
  asClaimed?(row: Row): Condition
  /** What the message needs of a row. The sweep index projects these attributes. */
  ref: z.ZodMiniObject & z.ZodMiniType<Ref>
  /** The message that resumes the work: its group in the fair queue, and its queue if that depends on the row. */
  message(ref: Ref, nowMs: number): Pick<QueueMessage, 'body' | 'group'> & { queue?: QueueName }
}

/** A row, as far as the worker that claims it knows it. */
type Known<Parts> = Parts & { sweepAtMs?: number | undefined }

/**
 * Declares work that is done in steps: each step by one worker at a time, which leases the row. A message starts a step; if
 * the message is lost, or the worker dies, the sweeper sends another. A step can therefore be repeated from what the
 * previous one stored.
 */
export const work = <Row extends WorkRow & Parts & Ref, Parts extends { id: string }, Ref>(
  spec: WorkSpec<Row, Parts, Ref>,
) => {
  const { entity, queue, open, timeoutSeconds, extraLeaseMs, graceMs = sweepGraceMs } = spec
  const step = lease({ until: 'leaseUntilMs', token: 'leaseToken', timeoutSeconds })
  /** The worker that claimed the row still holds it, and its work has not ended. */
  const ownsLease = (claimed: Claimed<Row>): Condition =>
    allOf(open, step.ownsLease(claimed), ...(spec.asClaimed ? [spec.asClaimed(claimed)] : []))
  const isSoon = (atMs: number, nowMs: number) => atMs - nowMs <= maxDelaySeconds * 1000
  /** The entry in the sweep index of a row whose message is sent now. */
  const swept = (id: string, nowMs: number) => sweepAt(id, nowMs + graceMs)
  /** The attributes of a row whose next step starts at a time: with a message, or later with the sweeper. */
  const dueAt = (id: string, atMs: number, nowMs: number) => ({
    dueAtMs: atMs,
    ...sweepAt(id, isSoon(atMs, nowMs) ? atMs + graceMs : atMs),
  })
  const messageOf = (ref: Ref, nowMs: number): SweepMessage => ({ queue, ...spec.message(ref, nowMs) })
  const enqueue = (ctx: Context, ref: Ref, delaySeconds = 0) => {
    const { queue, ...message } = messageOf(ref, ctx.clock.now())
    return enqueueOrSweep(ctx, queue, { ...message, delaySeconds })
  }
  const enqueueAt = async (ctx: Context, ref: Ref, atMs: number) => {
    const nowMs = ctx.clock.now()
    if (isSoon(atMs, nowMs)) await enqueue(ctx, ref, Math.max(0, Math.ceil((atMs - nowMs) / 1000)))
  }
  const releaseWrite = (
    claimed: Claimed<Row>,
    atMs: number,
    nowMs: number,
    { set, remove = [], ...change }: Change = {},
  ) => ({
    update: entity.key(claimed),
    change: {
      ...change,
      set: { ...set, ...dueAt(claimed.id, atMs, nowMs) },
      remove: withEach(['leaseUntilMs'], remove),
    },
    when: ownsLease(claimed),
  })
  const endWrite = (claimed: Claimed<Row>, { remove = [], ...change }: Change = {}) => ({
    update: entity.key(claimed),
    change: { ...change, remove: withEach(['leaseUntilMs', ...notSwept], remove) },
    when: ownsLease(claimed),
  })
  const carryOut = (ctx: Context, { update, change, when }: ReturnType<typeof endWrite>) =>
    wasCurrent(updateOnly(ctx, update, change, when))
  const release = (ctx: Context, claimed: Claimed<Row>, atMs: number, change?: Change) =>
    carryOut(ctx, releaseWrite(claimed, atMs, ctx.clock.now(), change))
  const leaseFrom = ({ id, sweepAtMs }: Known<Parts>, nowMs: number) => {
    const leased = leaseOf(id, nowMs, timeoutSeconds, extraLeaseMs)
    return sweepAtMs !== undefined && sweepAtMs <= leased.sweepAtMs ? { leaseUntilMs: leased.leaseUntilMs } : leased
  }
  return {
    /** For the definition of the worker. Its steps send messages that lead back to it. */
    worker: { queues: [queue], timeoutSeconds, recursive: true },
    sweepRule: sweepRule({ type: entity.type, shape: spec.ref, message: messageOf }),
    ownsLease,
    dueAt,
    enqueue,
    /** Enqueues the steps of several rows. The sweeper sends what a queue rejects. */
    async enqueueAll(ctx: Context, refs: readonly Ref[]): Promise<void> {
      const messages = refs.map((ref) => messageOf(ref, ctx.clock.now()))
      for (const [queue, own] of Map.groupBy(messages, (message) => message.queue)) {
        await orLeaveToSweeper(ctx, { queue, rows: own.length }, async () => {
          await Promise.all(own.map((message) => send(ctx, queue, message)))
        })
      }
    },
    /** Enqueues the next step of a row that was released until this time; the sweeper starts a later one. */
    enqueueAt,
    swept,
    /** The write that starts the work. */
    beginWrite: (row: Row, nowMs: number) => ({ put: { ...entity.item(row), ...swept(row.id, nowMs) } }),
    isDue: ({ dueAtMs = 0 }: Row, nowMs: number): boolean => dueAtMs <= nowMs + clockSkewMs,
    /**
     * Leases a row for one step; undefined if its work has ended or is not due, or another worker holds it. A row with an
     * earlier sweep time keeps its entry in the index: moving it costs two writes.
     */
    async claim(
      ctx: Context,
      parts: Known<Parts>,
      { set, add, when, ...change }: Change & { when?: Condition } = {},
    ): Promise<Claimed<Row> | undefined> {
      const nowMs = ctx.clock.now()
      const isDue = anyOf(absent('dueAtMs'), atMost('dueAtMs', nowMs + clockSkewMs))
      const free = allOf(present('PK'), open, isDue, step.isFree(nowMs), ...(when ? [when] : []))
      const leased = {
        ...change,
        set: { ...set, ...leaseFrom(parts, nowMs) },
        add: { ...add, leaseToken: 1 },
      }
      const item = await ifCurrent(update(ctx, entity.key(parts), leased, free))
      return item && claimedOf(entity.parse(item))
    },
    /** Stores progress and keeps the lease; throws LeaseLost. */
    async save(ctx: Context, claimed: Claimed<Row>, change: Change): Promise<Claimed<Row>> {
      try {
        return claimedOf(entity.parse(await update(ctx, entity.key(claimed), change, ownsLease(claimed))))
      } catch (error) {
        throw error instanceof ConditionFailed ? new LeaseLost(error.row === undefined) : error
      }
    },
    /** Stores progress, and releases the row until its next step, which the caller enqueues; false if the lease was lost. */
    release,
    releaseWrite,
    /** Stores progress, releases the row, and continues at a time; false if the lease was lost. */
    async continueAt(ctx: Context, claimed: Claimed<Row>, atMs: number, change?: Change): Promise<boolean> {
      if (!(await release(ctx, claimed, atMs, change))) return false
      await enqueueAt(ctx, claimed, atMs)
      return true
    },
    /** Ends the work; false if the lease was lost. */
    end: (ctx: Context, claimed: Claimed<Row>, change?: Change): Promise<boolean> =>
      carryOut(ctx, endWrite(claimed, change)),
    /** The same as a write, for the transaction with the results of the work. */
    endWrite,
  }
}

/** Names, each once: a transition may clear the same attributes. */
const withEach = (names: readonly string[], more: readonly string[]) => [...new Set([...names, ...more])]
