import * as z from 'zod/mini'
import { orApplication, scopeAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { eventCursorForm } from '../../../shared/events/event.ts'
import { afterKeys, EventLogPage, listEventLog } from '../../../shared/events/log.ts'
import { EventTypeList } from '../../../shared/events/types.ts'
import { described } from '../../../shared/http/described.ts'
import { Id } from '../../../shared/http/id.ts'
import { cursorLike, pageQuery } from '../../../shared/http/page.ts'
import { eventsOfOwner } from '../../../shared/social-accounts/events-of-owner.ts'
import { ExternalIdFilter } from '../../../shared/social-accounts/external-id-filter.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/events/log',
    summary: 'List events, oldest first, to catch up without webhooks',
    description:
      'Every event of the workspace within the retention period (30 days unless configured), each once, in the envelope that deliveries have. The last 90 seconds are held back, so that no event appears before a cursor you have stored. Store `nextCursor` and continue from there, immediately while `hasMore` is true; a page can have fewer events than `limit` even if there are more. `after` is the id of an event: the page starts after it, and the request is rejected once that event has expired, so that you notice a gap. Tests of endpoints are not included.',
    access: orApplication(scopeAdmin('webhooks:read')),
    query: z.strictObject({
      after: described(
        z.optional(Id),
        'The ID of an event: the page starts after it. Returns 404 once that event has expired. Replaces `cursor`.',
      ),
      cursor: cursorLike(eventCursorForm),
      types: z.optional(EventTypeList),
      accountExternalId: z.optional(
        described(
          ExternalIdFilter,
          'Only events about accounts that have this `externalId` now, and about posts to them.',
        ),
      ),
      workspaces: described(
        z._default(z.enum(['own', 'all']), 'own'),
        '`all` includes the events of the child workspaces of your application; `workspace.id` says whose an event is.',
      ),
      limit: described(pageQuery.limit, 'The most events of the page, 1 to 200.'),
    }),
    status: 200,
    data: EventLogPage,
    errors: ['event_not_found'],
    needs: ['table:read'],
    prefetch: ({ workspaceId, query }) => afterKeys(workspaceId, query),
  },
  ({ ctx, workspace, query: { accountExternalId, ...query }, prefetched }) => {
    const select = accountExternalId === undefined ? undefined : eventsOfOwner(ctx, accountExternalId)
    return listEventLog(ctx, workspace.id, prefetched, { ...query, select })
  },
)
