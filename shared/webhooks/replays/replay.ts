import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import type { Key } from '../../db/table.ts'
import { eventTypes } from '../../events/types.ts'

export const replayStatuses = ['running', 'completed', 'cancelled'] as const

/** `failed`: what the endpoint has not taken, because it failed, was off or was never told. `all`: everything. */
export const replayChoices = ['failed', 'all'] as const

/** Events that one replay tells again at most (reliability, A2.9). */
export const maxReplayedEvents = 100_000

/** Why a replay was not finished. */
export const cancelReasons = ['endpoint_deleted', 'endpoint_disabled'] as const

/** Events of a time told to an endpoint again: done step by step, and how far it has come. */
export const Replay = z.object({
  id: z.string(),
  workspaceId: z.string(),
  endpointId: z.string(),
  status: z.enum(replayStatuses),
  reason: z.nullable(z.enum(cancelReasons)),
  choice: z.enum(replayChoices),
  eventTypes: z.array(z.enum(eventTypes)),
  sinceMs: z.number(),
  untilMs: z.number(),
  /** How many there were when they were counted; null until that is done. */
  matched: z.nullable(z.int()),
  /** The place up to which they are counted, and how many these are. */
  countedTo: z.string(),
  counted: z.int(),
  /** The place up to which all is done. */
  doneTo: z.string(),
  queued: z.int(),
  nextSinceMs: z.nullable(z.number()),
  /** Goes up with every step: who has begun a later one holds the replay. */
  version: z.int(),
  /** Before this the next step is not made, whoever asks for it. */
  dueAtMs: z.number(),
  leaseUntilMs: z.optional(z.number()),
  createdAt: z.string(),
  finishedAt: z.nullable(z.string()),
  /** Only when it is over. */
  ttl: z.optional(z.number()),
})
export type Replay = z.infer<typeof Replay>

/** Where the replays of a workspace lie. */
export const replaysOf = (workspaceId: string): string => `WS#${workspaceId}#REPLAY`

export const replays = entity({
  type: 'Replay',
  shape: Replay,
  key: ({ workspaceId, id }: Pick<Replay, 'workspaceId' | 'id'>) => ({ PK: replaysOf(workspaceId), SK: id }),
})

/** The row that is there as long as an endpoint has a running replay: there is one at most. */
export const runningReplayKey = ({ workspaceId, endpointId }: Pick<Replay, 'workspaceId' | 'endpointId'>): Key => ({
  PK: replaysOf(workspaceId),
  SK: `TURN#${endpointId}`,
})

const moment = z.nullable(z.string())

/** A replay as the API shows it. */
export const ReplayView = z
  .object({
    replayId: z.string(),
    endpointId: z.string(),
    status: z.enum(replayStatuses),
    reason: z.nullable(z.enum(cancelReasons)),
    choice: z.enum(replayChoices),
    eventTypes: z.array(z.enum(eventTypes)),
    since: z.string(),
    until: z.string(),
    matched: z.nullable(z.int()),
    queued: z.int(),
    nextSince: moment,
    createdAt: z.string(),
    finishedAt: moment,
  })
  .register(z.globalRegistry, { id: 'WebhookReplay' })

export const viewReplay = (replay: Replay): z.infer<typeof ReplayView> => {
  const { id: replayId, sinceMs, untilMs, nextSinceMs, ...rest } = replay
  const [since, until] = [new Date(sinceMs).toISOString(), new Date(untilMs).toISOString()]
  return {
    ...rest,
    replayId,
    since,
    until,
    nextSince: nextSinceMs === null ? null : new Date(nextSinceMs).toISOString(),
  }
}
