import { maxDelaySeconds } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { ifCurrent, wasCurrent } from '../../db/condition-failed.ts'
import { allOf, equal, present } from '../../db/expression.ts'
import { leaseFree } from '../../db/lease.ts'
import { leaseGraceMs, sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import { batchGet, transact, update } from '../../db/table.ts'
import { isPushConfigured } from '../configured.ts'
import type { Device } from '../devices/device.ts'
import { forgetDevice } from '../devices/remove.ts'
import { profiles } from '../profile.ts'
import { expo } from '../providers/expo.ts'
import type { PushProvider, PushResult } from '../providers/provider.ts'
import { webPush } from '../providers/web-push.ts'
import { enqueuePushes, type PushesMessage } from './enqueue.ts'
import { type Push, pushes, ticketsKeptMs, usefulMs } from './push.ts'

/** Longer than the function's timeout: when the lease ends, its holder is dead. */
const leaseMs = 60_000

/** A queue can deliver early by the difference of two clocks. */
const clockSkewMs = 500

/** The waits after a failed call, if the provider requests none; then the message is given up. */
const waitsSeconds = [30, 120, 480, 1_800] as const

/** Expo has most receipts after fifteen minutes ("Check push receipts for errors"). */
const receiptSeconds = 900

/** A row of the message, with the device that it is for. */
interface Job {
  push: Push
  device: Device
}

const end = async (ctx: Context, push: Push): Promise<void> => {
  await transact(ctx, () => [{ delete: pushes.key(push) }])
}

const giveUp = async (ctx: Context, push: Push, reason: string): Promise<void> => {
  ctx.log.warn('a push message was given up', { pushId: push.id, deviceId: push.deviceId, reason })
  await end(ctx, push)
}

/** The rows of a message that are due, with their devices. A row whose device was removed ends. */
const readDue = async (ctx: Context, refs: PushesMessage['pushes']): Promise<Job[]> => {
  const found = await batchGet(
    ctx,
    refs.flatMap((ref) => [pushes.key(ref), profiles.key(ref)]),
  )
  const latest = ctx.clock.now() + clockSkewMs
  const jobs = await Promise.all(
    refs.map(async (ref) => {
      const push = pushes.from(found, ref)
      if (push === undefined || push.dueAtMs > latest) return undefined
      const device = profiles.from(found, ref)?.devices.find(({ id }) => id === push.deviceId)
      if (device !== undefined && isPushConfigured(ctx, device.kind)) return { push, device }
      await end(ctx, push)
      return undefined
    }),
  )
  return jobs.filter((job) => job !== undefined)
}

/** Leases a row and counts the call that follows; undefined if another worker holds it or has changed it. */
const claim = async (ctx: Context, { push, device }: Job): Promise<Job | undefined> => {
  const nowMs = ctx.clock.now()
  const leaseUntilMs = nowMs + leaseMs
  const free = allOf(present('PK'), equal('attempts', push.attempts), leaseFree('leaseUntilMs', nowMs))
  const set = { leaseUntilMs, ...sweepAt(push.id, leaseUntilMs + leaseGraceMs) }
  const item = await ifCurrent(update(ctx, pushes.key(push), { set, add: { attempts: 1 } }, free))
  return item && { push: pushes.parse(item), device }
}

/** Plans the next call of a row. False if the row has changed meanwhile. */
const postpone = (ctx: Context, push: Push, seconds: number, set: Partial<Pick<Push, 'ticketId'>> = {}) => {
  const dueAtMs = ctx.clock.now() + seconds * 1000
  const sweepAtMs = seconds <= maxDelaySeconds ? dueAtMs + sweepGraceMs : dueAtMs
  const change = { set: { ...set, dueAtMs, ...sweepAt(push.id, sweepAtMs) }, remove: ['leaseUntilMs'] }
  return wasCurrent(update(ctx, pushes.key(push), change, allOf(present('PK'), equal('attempts', push.attempts))))
}

/** A row to be enqueued again, and when. */
type Again = Pick<Push, 'userId' | 'id'> & { seconds: number }

const tryAgain = async (ctx: Context, push: Push, result: PushResult & { outcome: 'retry' }): Promise<Again[]> => {
  const wait = waitsSeconds[push.attempts - 1]
  const seconds = Math.max(wait ?? 0, result.retryAfterSeconds ?? 0)
  if (wait === undefined || ctx.clock.now() + seconds * 1000 > push.createdAtMs + usefulMs) {
    await giveUp(ctx, push, result.reason)
    return []
  }
  return (await postpone(ctx, push, seconds)) ? [{ ...push, seconds }] : []
}

/** Applies the result of a call to its row, and to the device. */
const settle = async (ctx: Context, { push }: Job, result: PushResult): Promise<Again[]> => {
  switch (result.outcome) {
    case 'sent':
      await end(ctx, push)
      return []
    case 'ticket': {
      const { ticketId } = result
      const isPlanned = await postpone(ctx, push, receiptSeconds, { ticketId })
      return isPlanned ? [{ ...push, seconds: receiptSeconds }] : []
    }
    case 'gone':
      await forgetDevice(ctx, push.userId, push.deviceId)
      ctx.log.info('a device was removed: its provider no longer knows it', { deviceId: push.deviceId })
      await end(ctx, push)
      return []
    case 'rejected':
      ctx.log.error('a push message was rejected', { deviceId: push.deviceId, reason: result.reason })
      await end(ctx, push)
      return []
    case 'retry':
      return tryAgain(ctx, push, result)
  }
}

/** Applies the receipt of a message that its provider has taken. Without one, it is looked up again for a day. */
const settleTicket = async (ctx: Context, job: Job, receipt: PushResult | undefined): Promise<Again[]> => {
  if (receipt !== undefined && receipt.outcome !== 'retry') return settle(ctx, job, receipt)
  const { push } = job
  // A repeat could be shown twice: the message may have arrived although Expo reports a failure.
  if (receipt?.outcome === 'retry' || ctx.clock.now() > push.createdAtMs + ticketsKeptMs) {
    await giveUp(ctx, push, receipt?.outcome === 'retry' ? receipt.reason : 'Expo has no receipt')
    return []
  }
  return (await postpone(ctx, push, receiptSeconds)) ? [{ ...push, seconds: receiptSeconds }] : []
}

const work = async (ctx: Context, jobs: readonly Job[], provider: PushProvider): Promise<Again[]> => {
  const [open, taken] = [jobs.filter(({ push }) => !push.ticketId), jobs.filter(({ push }) => push.ticketId)]
  const again: Again[] = []
  for (let from = 0; from < open.length; from += provider.batchSize) {
    const batch = open.slice(from, from + provider.batchSize)
    const results = await provider.send(batch.map(({ push, device }) => ({ device, message: push })))
    const next = await Promise.all(
      batch.map((job, at) => settle(ctx, job, results[at] ?? { outcome: 'retry', reason: 'no result' })),
    )
    again.push(...next.flat())
  }
  if (taken.length > 0 && provider.readTickets !== undefined) {
    const receipts = await provider.readTickets(taken.map(({ push }) => push.ticketId ?? ''))
    again.push(...(await Promise.all(taken.map((job, at) => settleTicket(ctx, job, receipts[at])))).flat())
  }
  return again
}

/**
 * Sends messages to devices, or looks up what became of them. A call whose outcome is unknown is repeated: the message has
 * the tag of the first one, so a device that has both shows one.
 */
export const sendPushes = async (ctx: Context, { pushes: refs }: PushesMessage): Promise<void> => {
  const due = await readDue(ctx, refs)
  const claimed = (await Promise.all(due.map((job) => claim(ctx, job)))).filter((job) => job !== undefined)
  const providers: Readonly<Record<Device['kind'], PushProvider>> = {
    // A provider gets devices of its own kind only.
    expo: expo(ctx) as unknown as PushProvider,
    web_push: webPush(ctx) as unknown as PushProvider,
  }
  const again: Again[] = []
  for (const [kind, jobs] of Map.groupBy(claimed, ({ device }) => device.kind)) {
    again.push(...(await work(ctx, jobs, providers[kind])))
  }
  for (const [seconds, own] of Map.groupBy(again, (one) => one.seconds)) {
    if (seconds <= maxDelaySeconds) await enqueuePushes(ctx, own, seconds)
  }
}
