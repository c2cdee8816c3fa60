import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { BatchRows, Key } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { isExpired } from '../../events/outbox.ts'
import { described } from '../../http/described.ts'
import { Id } from '../../http/id.ts'
import { type Replay, replays } from './replay.ts'

export const ReplayPath = z.object({ replayId: described(Id, 'The ID of the replay.') })

interface ReplayParams {
  workspaceId: string
  params: z.infer<typeof ReplayPath>
}

const keyOf = ({ workspaceId, params }: ReplayParams) => ({ workspaceId, id: params.replayId })

/** The row of the replay in the path, read together with the authorization. */
export const replayKeys = (request: ReplayParams): Key[] => [replays.key(keyOf(request))]

/** A replay, until it expires. */
export const findReplay = (ctx: Context, rows: BatchRows, request: ReplayParams): Replay => {
  const replay = replays.from(rows, keyOf(request))
  const isOver = replay?.ttl !== undefined && isExpired(ctx, { ttl: replay.ttl })
  if (replay && !isOver) return replay
  throw new Refusal('missing', `This workspace has no replay ${request.params.replayId}.`, {
    code: 'replay_not_found',
    field: 'replayId',
  })
}
