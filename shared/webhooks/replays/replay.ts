import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { workFields } from '../../db/lease.ts'
import type { Key } from '../../db/table.ts'
import { eventTypes } from '../../events/types.ts'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'

export const replayStatuses = ['running', 'completed', 'cancelled'] as const

/** `failed`: the events that the endpoint has not accepted, because it failed or was disabled. `all`: every event. */
export const replayScopes = ['failed', 'all'] as const

/** The most events of one replay. */
export const maxReplayedEvents = 100_000

/** Why a replay was canceled. */
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
  includeChildWorkspaces: z.optional(z.boolean()),
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
  ...workFields,
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

const moment = z.nullable(timestamp())

/** A replay as the API shows it. */
export const ReplayView = z
  .object({
    replayId: described(z.string(), 'The ID of the replay.'),
    endpointId: described(z.string(), 'The ID of the endpoint, `whe_…`.'),
    status: described(z.enum(replayStatuses), '`running`, `completed`, or `cancelled`.'),
    reason: described(z.nullable(z.enum(cancelReasons)), 'Why the replay was canceled; null unless it was.'),
    scope: described(
      z.enum(replayScopes),
      '`failed`: the events that the endpoint has not accepted. `all`: every event.',
    ),
    eventTypes: described(z.array(z.enum(eventTypes)), 'The event types that are replayed.'),
    since: timestamp('The beginning of the range, in UTC.'),
    until: timestamp('The end of the range, in UTC.'),
    matched: described(z.nullable(z.int()), 'The number of events in the range; null until they are counted.'),
    queued: described(z.int(), 'The number of events that are on their way or delivered.'),
    nextSince: described(moment, 'Where to continue with another replay, in UTC; null if nothing is left.'),
    createdAt: timestamp('When the replay was requested, in UTC.'),
    finishedAt: described(moment, 'When the replay ended, in UTC; null while it is running.'),
  })
  .register(z.globalRegistry, {
    id: 'WebhookReplay',
    description: 'Events of a time range on their way to an endpoint again.',
  })

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
