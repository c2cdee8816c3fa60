import { orApplication, scopeAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { idPath } from '../../../shared/http/id.ts'
import { assertEnabled, endpointKeys, findEndpoint } from '../../../shared/webhooks/endpoints/find.ts'
import { ReplayView } from '../../../shared/webhooks/replays/replay.ts'
import { ReplayRequest } from '../../../shared/webhooks/replays/request.ts'
import { startReplay } from '../../../shared/webhooks/replays/start.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/webhooks/{id}/replay',
    summary: 'Replay events from a time range',
    description:
      'Enqueues the events from `since` to `until`, oldest first, up to 50 a second. With `scope: failed`, the default, it covers the events that the endpoint has not accepted, including those from while it was disabled; with `all`, every event. Events with a pending attempt are skipped. Events keep their ids. `matched` is null until they are counted. A replay ends after 100,000 events, and `nextSince` says where another one continues. An endpoint has one replay at a time.',
    access: orApplication(scopeAdmin('webhooks:read')),
    params: idPath('The ID of the endpoint, `whe_…`.'),
    body: ReplayRequest,
    status: 202,
    data: ReplayView,
    errors: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled', 'replay_in_progress'],
    needs: ['table:read', 'table:write', 'queue:replay'],
    prefetch: endpointKeys,
  },
  (call) => {
    const { ctx, workspace, params, body, prefetched } = call
    const hook = findEndpoint(prefetched, workspace.id, params.id)
    assertEnabled(hook)
    return startReplay(ctx, hook, body, actorOf(call))
  },
)
