import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { assertEnabled, endpointKeys, findEndpoint } from '../../../shared/webhooks/endpoints/find.ts'
import { ReplayView } from '../../../shared/webhooks/replays/replay.ts'
import { ReplayRequest } from '../../../shared/webhooks/replays/request.ts'
import { startReplay } from '../../../shared/webhooks/replays/start.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/webhooks/{id}/replay',
    summary: 'Deliver the events of a time again',
    description:
      'Goes through the events from `since` to `until`, oldest first, and queues up to 50 a second: with `failed` those that the endpoint has not taken and that wait for no attempt, also those of the time when it was switched off; with `all` every one that waits for no attempt. They keep their ids. `matched` is null as long as they are not counted. After 100,000 events it ends, and `nextSince` says from where another one goes on. One replay runs to an endpoint at a time.',
    access: workspaceAdmin,
    params: IdPath,
    body: ReplayRequest,
    status: 202,
    data: ReplayView,
    errors: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled', 'replay_in_progress'],
    needs: ['table:read', 'table:write', 'queue:replay'],
    prefetch: endpointKeys,
  },
  ({ ctx, workspace, params, body, prefetched, idempotencyWrites }) => {
    const hook = findEndpoint(prefetched, workspace.id, params.id)
    assertEnabled(hook)
    return startReplay(ctx, hook, body, idempotencyWrites)
  },
)
