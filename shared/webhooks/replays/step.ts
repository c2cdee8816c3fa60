import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { absent } from '../../db/expression.ts'
import { put } from '../../db/table.ts'
import { expiryOf } from '../../events/outbox.ts'
import { msOfUlid } from '../../ids.ts'
import { type Delivery, deliveries, pendingDelivery } from '../deliveries/lifecycle/row.ts'
import { deliveryWork } from '../deliveries/work.ts'
import { endpoints } from '../endpoints/endpoint.ts'
import { countMatches } from './count-matches.ts'
import { type Match, readBatch } from './match.ts'
import { maxReplayedEvents, type Replay } from './replay.ts'
import { endReplay, type Progress, type ReplayMessage, replayWork } from './work.ts'

/** The most events of one replay, and of one step: 50 a second. */
const bounds = { max: maxReplayedEvents, perStep: 50 }
const stepMs = 1_000

const rowsPerBatch = 100
const maxBatches = 10
const countedPerStep = 5000

/** Writes the attempt; undefined if another writer has made one with this number in the meantime. */
const makeAttempt = async (ctx: Context, replay: Replay, match: Match): Promise<Delivery | undefined> => {
  if (match.own) return match.own
  const now = ctx.clock.now()
  const { workspaceId, endpointId, id: replayId } = replay
  const { outboxId, eventIndex, event, attempt } = match
  const of = { workspaceId, endpointId, outboxId, eventIndex, eventId: event.id, eventType: event.type, replayId }
  const planned = { ...of, attempt: attempt + 1, step: 1, firstAtMs: now, cause: 'replay', ttl: expiryOf(ctx) } as const
  const row = pendingDelivery(planned, now, now)
  if (await wasCurrent(put(ctx, deliveryWork.beginWrite(row, now).put, absent('PK')))) return row
  const other = await deliveries.get(ctx, row)
  return other?.replayId === replayId ? other : undefined
}

/** Enqueues events, oldest first; those that an earlier step has already enqueued are counted, but not made twice. */
const queueAll = async (ctx: Context, replay: Replay, matches: readonly Match[]): Promise<number> => {
  const made = await Promise.all(matches.map((match) => makeAttempt(ctx, replay, match)))
  const ours = made.flatMap((row) => row ?? [])
  await deliveryWork.enqueueAll(
    ctx,
    ours.filter(({ status }) => status === 'pending'),
  )
  return ours.length
}

/** Reads on and enqueues up to a number of matching events. */
const queueSome = async (ctx: Context, replay: Replay, max: number) => {
  let [doneTo, queued, isLast] = [replay.doneTo, 0, false]
  for (let n = 0; n < maxBatches && queued < max && !isLast; n += 1) {
    const stretch = await readBatch(ctx, replay, doneTo, rowsPerBatch)
    const some = stretch.matches.slice(0, max - queued)
    queued += await queueAll(ctx, replay, some)
    const isCut = some.length < stretch.matches.length
    doneTo = isCut ? (some.at(-1)?.cursor ?? doneTo) : stretch.upTo
    isLast = stretch.isLast && !isCut
  }
  return { doneTo, queued, isLast }
}

const reasonToCancel = async (ctx: Context, { workspaceId, endpointId: id }: Replay) => {
  const endpoint = await endpoints.get(ctx, { workspaceId, id })
  if (!endpoint || endpoint.deletedAt !== undefined) return 'endpoint_deleted'
  return endpoint.enabled ? undefined : 'endpoint_disabled'
}

/** Runs one step of a replay and enqueues the next one; it may be interrupted anywhere and repeated. */
export const replayEvents = async (
  ctx: Context,
  { workspaceId, replayId: id }: ReplayMessage,
  { max, perStep }: typeof bounds = bounds,
): Promise<void> => {
  const startedMs = ctx.clock.now()
  const replay = await replayWork.claim(ctx, { workspaceId, id })
  if (replay === undefined) return
  const reason = await reasonToCancel(ctx, replay)
  if (reason) return endReplay(ctx, replay, 'cancel', { reason })
  const counting = await countMatches(ctx, replay, countedPerStep, max)
  const { doneTo, queued, isLast } = await queueSome(ctx, replay, Math.min(perStep, max - replay.queued))
  const progress: Progress = { ...counting, doneTo, queued: replay.queued + queued }
  const isFull = progress.queued >= max
  if (isLast || isFull) {
    const nextSinceMs = isLast ? null : msOfUlid(doneTo)
    const matched = progress.matched ?? progress.queued
    return endReplay(ctx, replay, 'complete', { ...progress, matched, nextSinceMs })
  }
  await replayWork.continueAt(ctx, replay, startedMs + stepMs, { set: progress })
}
