import { maxDelaySeconds } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import type { Claimed } from '../../db/lease.ts'
import { batchGet, transact } from '../../db/table.ts'
import { isPushConfigured } from '../configured.ts'
import type { Device } from '../devices/device.ts'
import { forgetDevice } from '../devices/remove.ts'
import { profiles } from '../profile.ts'
import { expo } from '../providers/expo.ts'
import type { PushProvider, PushResult } from '../providers/provider.ts'
import { webPush } from '../providers/web-push.ts'
import { type Push, pushes, pushTtlMs, ticketRetentionMs } from './push.ts'
import { enqueuePushes, type PushesMessage, pushWork } from './work.ts'

/** The waits after a failed call, if the provider requests none; then the message is given up. */
const waitsSeconds = [30, 120, 480, 1_800] as const

/** Expo has most receipts after fifteen minutes ("Check push receipts for errors"). */
const receiptSeconds = 900

/** A row that this worker holds, with its device. */
interface Job<D extends Device = Device> {
  push: Claimed<Push>
  device: D
}

const end = async (ctx: Context, push: Push): Promise<undefined> => {
  await transact(ctx, () => [{ delete: pushes.key(push) }])
}

const giveUp = async (ctx: Context, push: Push, reason: string): Promise<void> => {
  ctx.log.warn('a push message was given up', { pushId: push.id, deviceId: push.deviceId, reason })
  await end(ctx, push)
}

/** Claims the rows of a message that are due, and counts the calls that follow. A row whose device was removed ends. */
const claimDue = async (ctx: Context, refs: PushesMessage['pushes']): Promise<Job[]> => {
  const rows = await batchGet(
    ctx,
    refs.flatMap((ref) => [pushes.key(ref), profiles.key(ref)]),
  )
  const jobs = await Promise.all(
    refs.map(async (ref) => {
      const push = pushes.from(rows, ref)
      if (push === undefined) return undefined
      const device = profiles.from(rows, ref)?.devices.find(({ id }) => id === push.deviceId)
      if (device === undefined || !isPushConfigured(ctx, device.kind)) return end(ctx, push)
      const claimed = await pushWork.claim(ctx, push, { add: { attempts: 1 } })
      return claimed && { push: claimed, device }
    }),
  )
  return jobs.filter((job) => job !== undefined)
}

/** Plans the next call of a row. False if another worker has claimed it in the meantime. */
const postpone = (ctx: Context, push: Claimed<Push>, seconds: number, set: Partial<Pick<Push, 'ticketId'>> = {}) =>
  pushWork.release(ctx, push, ctx.clock.now() + seconds * 1000, { set })

/** A row to be enqueued again, and when. */
type Again = Pick<Push, 'userId' | 'id'> & { seconds: number }

const tryAgain = async (
  ctx: Context,
  push: Claimed<Push>,
  result: PushResult & { outcome: 'retry' },
): Promise<Again[]> => {
  const wait = waitsSeconds[push.attempts - 1]
  const seconds = Math.max(wait ?? 0, result.retryAfterSeconds ?? 0)
  if (wait === undefined || ctx.clock.now() + seconds * 1000 > push.createdAtMs + pushTtlMs) {
    await giveUp(ctx, push, result.reason)
    return []
  }
  return (await postpone(ctx, push, seconds)) ? [{ ...push, seconds }] : []
}

/** Applies the result of a call to its row, and to the device. */
const applyResult = async (ctx: Context, { push }: Job, result: PushResult): Promise<Again[]> => {
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

/** Applies the receipt of a message that its provider has accepted. Without a receipt, it is looked up again for a day. */
const applyReceipt = async (ctx: Context, job: Job, receipt: PushResult | undefined): Promise<Again[]> => {
  if (receipt !== undefined && receipt.outcome !== 'retry') return applyResult(ctx, job, receipt)
  const { push } = job
  // A repeat could be shown twice: the message may have arrived although Expo reports a failure.
  if (receipt?.outcome === 'retry' || ctx.clock.now() > push.createdAtMs + ticketRetentionMs) {
    await giveUp(ctx, push, receipt?.outcome === 'retry' ? receipt.reason : 'Expo has no receipt')
    return []
  }
  return (await postpone(ctx, push, receiptSeconds)) ? [{ ...push, seconds: receiptSeconds }] : []
}

const work = async <D extends Device>(
  ctx: Context,
  jobs: readonly Job<D>[],
  provider: PushProvider<D>,
): Promise<Again[]> => {
  const [open, taken] = [jobs.filter(({ push }) => !push.ticketId), jobs.filter(({ push }) => push.ticketId)]
  const again: Again[] = []
  for (let from = 0; from < open.length; from += provider.batchSize) {
    const batch = open.slice(from, from + provider.batchSize)
    const results = await provider.send(batch.map(({ push, device }) => ({ device, message: push })))
    const next = await Promise.all(
      batch.map((job, at) => applyResult(ctx, job, results[at] ?? { outcome: 'retry', reason: 'no result' })),
    )
    again.push(...next.flat())
  }
  if (taken.length > 0 && provider.readTickets !== undefined) {
    const receipts = await provider.readTickets(taken.map(({ push }) => push.ticketId ?? ''))
    again.push(...(await Promise.all(taken.map((job, at) => applyReceipt(ctx, job, receipts[at])))).flat())
  }
  return again
}

/** A provider gets devices of its kind only. */
const isOf =
  <K extends Device['kind']>(kind: K) =>
  (job: Job): job is Job<Extract<Device, { kind: K }>> =>
    job.device.kind === kind

/**
 * Sends messages to devices, or looks up their outcome. A call whose outcome is unknown is repeated: the message has the tag
 * of the first one, so a device that has both shows one.
 */
export const sendPushes = async (ctx: Context, { pushes: refs }: PushesMessage): Promise<void> => {
  const claimed = await claimDue(ctx, refs)
  const again = [
    ...(await work(ctx, claimed.filter(isOf('web_push')), webPush(ctx))),
    ...(await work(ctx, claimed.filter(isOf('expo')), expo(ctx))),
  ]
  for (const [seconds, own] of Map.groupBy(again, (entry) => entry.seconds)) {
    if (seconds <= maxDelaySeconds) await enqueuePushes(ctx, own, seconds)
  }
}
