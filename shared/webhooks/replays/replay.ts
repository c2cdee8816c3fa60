import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import type { Key } from '../../db/table.ts'
import { eventTypes } from '../../events/types.ts'

export const replayStatuses = ['running', 'completed', 'cancelled'] as const

/** `failed`: the events that the endpoint has not accepted, because it failed or was disabled. `all`: every event. */
export const replayScopes = ['failed', 'all'] as const

/** The most events of one replay. */
export const maxReplayedEvents = 100_000

/** Why a replay was cancelled. */
export const cancelReasons = ['endpoint_deleted', 'endpoint_disabled'] as const

/** A replay of a time range to an endpoint, with its progress: it runs step by step. */
export const Replay = z.object({
  id: z.string(),
  workspaceId: z.string(),
  endpointId: z.string(),
  status: z.enum(replayStatuses),
  reason: z.nullable(z.enum(cancelReasons)),
  scope: z.enum(replayScopes),
  eventTypes: z.array(z.enum(eventTypes)),
  sinceMs: z.number(),
  untilMs: z.number(),
  /** The number of events when they were counted; null until then. */
  matched: z.nullable(z.int()),
  /** The event cursor up to which they are counted, and their number. */
  countedTo: z.string(),
  counted: z.int(),
  /** The event cursor up to which all are enqueued. */
  doneTo: z.string(),
  queued: z.int(),
  nextSinceMs: z.nullable(z.number()),
  /** The fencing token: each step increases it. */
  version: z.int(),
  /** The next step does not start before this time. */
  dueAtMs: z.number(),
  leaseUntilMs: z.optional(z.number()),
  createdAt: z.string(),
  finishedAt: z.nullable(z.string()),
  /** Set once it has ended. */
  ttl: z.optional(z.number()),
})
export type Replay = z.infer<typeof Replay>

/** The partition of the replays of a workspace. */
export const replaysOf = (workspaceId: string): string => `WS#${workspaceId}#REPLAY`

export const replays = entity({
  type: 'Replay',
  shape: Replay,
  key: ({ workspaceId, id }: Pick<Replay, 'workspaceId' | 'id'>) => ({ PK: replaysOf(workspaceId), SK: id }),
})

/** The row that exists while an endpoint has a running replay: there is one at most. */
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
    scope: z.enum(replayScopes),
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
