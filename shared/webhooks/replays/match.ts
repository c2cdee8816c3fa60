import type { Context } from '../../context.ts'
import { allOf, between, equal } from '../../db/expression.ts'
import { type Item, query } from '../../db/table.ts'
import { type Event, eventCursor, outboxIdInCursor } from '../../events/event.ts'
import { isAwaitingRelay, isExpired, isOfChild, outbox } from '../../events/outbox.ts'
import { lowestUlid } from '../../ids.ts'
import { type Delivery, deliveries, maxAttempts } from '../deliveries/lifecycle/row.ts'
import type { Replay } from './replay.ts'

/** The most attempts to read for one range, once they have decided about at least one event. */
const maxAttemptsRead = 1000
const attemptsPerQuery = 500

/** An event to enqueue, or one that this replay has already enqueued. */
export interface Match {
  cursor: string
  outboxId: string
  eventIndex: number
  event: Event
  /** The number of the newest attempt of the event at the endpoint; 0 if there is none. */
  attempt: number
  /** The attempt that this replay has already made. */
  own?: Delivery
}

/** The matches between two positions. */
export interface Batch {
  matches: readonly Match[]
  upTo: string
  /** There are no more events after it. */
  isLast: boolean
  rowsRead: number
}

type Candidate = Pick<Match, 'cursor' | 'outboxId' | 'eventIndex' | 'event'>

/** The position of the event that an attempt is about. */
const cursorIn = (deliveryId: string) => deliveryId.slice('dlv_'.length, -2)

/** A position after every event of a row, and before those of the next row. */
const behindRow = (outboxId: string) => `${outboxId}~`

/** Events of the requested types after a position. */
const readEvents = async (ctx: Context, replay: Replay, after: string, rows: number) => {
  const { workspaceId, sinceMs, untilMs, eventTypes, includeChildWorkspaces } = replay
  const from = after === '' ? lowestUlid(sinceMs) : outboxIdInCursor(after)
  const { PK } = outbox.key({ workspaceId, id: '' })
  const key = allOf(equal('PK', PK), between('SK', from, lowestUlid(untilMs + 1)))
  const page = await query(ctx, { key, limit: rows })
  const candidates = outbox
    .readable(ctx, page.items)
    // Decided: events that are on their way are left to their relay.
    .filter((row) => !isAwaitingRelay(row) && !isExpired(ctx, row))
    .filter((row) => includeChildWorkspaces || !isOfChild(row))
    .flatMap(({ id: outboxId, events }) =>
      events.map(
        (event, eventIndex): Candidate => ({ cursor: eventCursor(outboxId, eventIndex), outboxId, eventIndex, event }),
      ),
    )
    // Tests of endpoints are not events of the workspace.
    .filter(({ cursor, event }) => cursor > after && eventTypes.includes(event.type) && event.data['test'] !== true)
  const last = page.items.at(-1)
  return {
    candidates,
    upTo: last ? behindRow(String(last['id'])) : after,
    isLast: page.next === undefined,
    rowsRead: page.items.length,
  }
}

/** The attempts of events at the endpoint, up to the first event that is not fully read. */
const readAttempts = async (ctx: Context, { workspaceId, endpointId }: Replay, first: string, last: string) => {
  const { PK } = deliveries.key({ workspaceId, endpointId, id: '' })
  const key = allOf(equal('PK', PK), between('SK', `dlv_${first}`, `dlv_${last}~`))
  const rows: Delivery[] = []
  let after: Item | undefined
  let at: string
  do {
    const page = await query(ctx, { key, limit: attemptsPerQuery, ...(after ? { after } : {}) })
    rows.push(...deliveries.readable(ctx, page.items))
    after = page.next
    at = cursorIn(rows.at(-1)?.id ?? '')
  } while (after !== undefined && (rows.length < maxAttemptsRead || at <= first))
  return { rows, cutAt: after === undefined ? undefined : at }
}

const matchOf = (replay: Replay, candidate: Candidate, attempts: readonly Delivery[]): Match[] => {
  const own = attempts.find(({ replayId }) => replayId === replay.id)
  const attempt = attempts.at(-1)?.attempt ?? 0
  if (own) return [{ ...candidate, attempt, own }]
  const is = (status: Delivery['status']) => attempts.some((row) => row.status === status)
  const isDone = is('pending') || (replay.scope === 'failed' && is('succeeded')) || attempt >= maxAttempts
  return isDone ? [] : [{ ...candidate, attempt }]
}

/**
 * Reads on from a position, over a number of event rows. The events to enqueue are found by joining them with the
 * endpoint's attempts, which have the same order.
 */
export const readBatch = async (ctx: Context, replay: Replay, after: string, rows: number): Promise<Batch> => {
  const { candidates, upTo, isLast, rowsRead } = await readEvents(ctx, replay, after, rows)
  const [first, last] = [candidates.at(0), candidates.at(-1)]
  if (!first || !last) return { matches: [], upTo, isLast, rowsRead }
  const { rows: attempts, cutAt } = await readAttempts(ctx, replay, first.cursor, last.cursor)
  const ofEvent = Map.groupBy(attempts, ({ id }) => cursorIn(id))
  const decided = candidates.filter(({ cursor }) => cutAt === undefined || cursor < cutAt)
  const matches = decided.flatMap((candidate) => matchOf(replay, candidate, ofEvent.get(candidate.cursor) ?? []))
  const all = { matches, rowsRead: rowsRead + attempts.length }
  if (cutAt === undefined) return { ...all, upTo, isLast }
  return { ...all, upTo: decided.at(-1)?.cursor ?? after, isLast: false }
}
