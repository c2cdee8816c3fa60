import type * as z from 'zod/mini'
import type { Actor } from '../../audit/actor.ts'
import { commit } from '../../commit/commit.ts'
import type { Context } from '../../context.ts'
import { conditionFailed } from '../../db/condition-failed.ts'
import { absent } from '../../db/expression.ts'
import { get } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { retentionMs } from '../../events/outbox.ts'
import { msOf } from '../../http/moment.ts'
import { ulid } from '../../ids.ts'
import { minuteMs } from '../../time.ts'
import type { WebhookEndpoint } from '../endpoints/endpoint.ts'
import { countMatches } from './count-matches.ts'
import { maxReplayedEvents, type Replay, runningReplayKey, viewReplay } from './replay.ts'
import type { ReplayRequest } from './request.ts'
import { replayWork } from './work.ts'

/** A request for the full retention period arrives a moment late, and the caller's clock may be slow. */
const lateMs = 5 * minuteMs
/** A range with fewer rows is counted before the response. */
const rowsCountedAtStart = 2000

const refuse = (field: string, rule: string) =>
  new Refusal('invalid', `"${field}" ${rule}.`, { code: 'invalid_input', field })

/** The requested range, in milliseconds. */
const rangeOf = (ctx: Context, { since, until }: z.infer<typeof ReplayRequest>) => {
  const now = ctx.clock.now()
  const sinceMs = msOf(since)
  const untilMs = until === undefined ? now : msOf(until)
  const oldest = now - retentionMs(ctx)
  if (sinceMs < oldest - lateMs) {
    throw refuse('since', `must not be before ${new Date(oldest).toISOString()}, because older events have expired`)
  }
  if (sinceMs > now) throw refuse('since', `must not be in the future (server time ${new Date(now).toISOString()})`)
  if (untilMs > now) throw refuse('until', `must not be in the future (server time ${new Date(now).toISOString()})`)
  if (untilMs < sinceMs) throw refuse('until', 'must not be before "since"')
  return { sinceMs, untilMs }
}

const makeReplay = (ctx: Context, endpoint: WebhookEndpoint, request: z.infer<typeof ReplayRequest>): Replay => {
  const now = ctx.clock.now()
  return {
    id: `rpl_${ulid(now)}`,
    workspaceId: endpoint.workspaceId,
    endpointId: endpoint.id,
    status: 'running',
    reason: null,
    scope: request.scope ?? 'failed',
    eventTypes: [...new Set(request.eventTypes ?? endpoint.events)],
    ...(endpoint.includeChildWorkspaces ? { includeChildWorkspaces: true } : {}),
    ...rangeOf(ctx, request),
    matched: null,
    countedTo: '',
    counted: 0,
    doneTo: '',
    queued: 0,
    nextSinceMs: null,
    createdAt: new Date(now).toISOString(),
    finishedAt: null,
  }
}

const refuseSecond = async (ctx: Context, replay: Replay): Promise<Refusal> => {
  const replayId = (await get(ctx, runningReplayKey(replay)))?.['replayId']
  const text = 'A replay to this webhook endpoint is in progress. Wait until it has ended.'
  return new Refusal('conflict', text, { code: 'replay_in_progress', ...(replayId ? { extra: { replayId } } : {}) })
}

/** Accepts a replay; the worker enqueues the events step by step. */
export const startReplay = async (
  ctx: Context,
  endpoint: WebhookEndpoint,
  request: z.infer<typeof ReplayRequest>,
  by: Actor,
): Promise<ReturnType<typeof viewReplay>> => {
  const made = makeReplay(ctx, endpoint, request)
  const { workspaceId, id } = made
  const replay: Replay = { ...made, ...(await countMatches(ctx, made, rowsCountedAtStart, maxReplayedEvents)) }
  const answer = viewReplay(replay)
  const { endpointId, since, until, scope } = answer
  const target = { type: 'webhook_replay', id } as const
  try {
    const turn = { ...runningReplayKey(replay), type: 'ReplayTurn', workspaceId, replayId: id }
    await commit(
      ctx,
      { id: workspaceId },
      {
        writes: [{ as: 'running', put: turn, when: absent('PK') }, replayWork.beginWrite(replay, ctx.clock.now())],
        audit: { by, action: 'webhook_replay.created', target, after: { endpointId, since, until, scope } },
        response: { data: answer, id },
      },
    )
  } catch (error) {
    throw conditionFailed(error, 'running') ? await refuseSecond(ctx, replay) : error
  }
  await replayWork.enqueue(ctx, replay)
  return answer
}
