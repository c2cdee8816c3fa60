import { orApplication, scopeAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { findReplay, ReplayPath, replayKeys } from '../../../shared/webhooks/replays/find.ts'
import { ReplayView, viewReplay } from '../../../shared/webhooks/replays/replay.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/replays/{replayId}',
    summary: 'Get replay progress',
    description: 'Returns how far a replay is. When it is completed, `nextSince` says whether there is more to replay.',
    access: orApplication(scopeAdmin('webhooks:read')),
    params: ReplayPath,
    status: 200,
    data: ReplayView,
    errors: ['replay_not_found'],
    needs: ['table:read'],
    prefetch: replayKeys,
  },
  ({ ctx, workspace, params, prefetched }) =>
    viewReplay(findReplay(ctx, prefetched, { workspaceId: workspace.id, params })),
)
