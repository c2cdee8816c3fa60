import * as z from 'zod/mini'
import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { eventCursorForm } from '../../../shared/events/cursor.ts'
import { afterKeys, EventLogPage, listEventLog } from '../../../shared/events/log.ts'
import { EventTypeList } from '../../../shared/events/types.ts'
import { Id } from '../../../shared/http/id.ts'
import { cursorLike, pageQuery } from '../../../shared/http/page.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/events/log',
    summary: 'List the events themselves, oldest first, to catch up without any delivery',
    description:
      'Every event of the workspace that is not older than the retention (30 days unless configured), each once, in the envelope that deliveries carry. The last 90 seconds are held back, so that nothing appears behind a place that was read. Keep `nextCursor` and go on from there, at once while `hasMore`; a page may hold fewer events than `limit` although there are more. `after`, the id of an event, goes on behind that event and is refused once it has expired, so a gap shows. Tests of endpoints are not in it.',
    access: workspaceAdmin,
    query: z.strictObject({
      after: z.optional(Id),
      cursor: cursorLike(eventCursorForm),
      types: z.optional(EventTypeList),
      limit: pageQuery.limit,
    }),
    status: 200,
    data: EventLogPage,
    errors: ['event_not_found'],
    needs: ['table:read'],
    prefetch: ({ workspaceId, query }) => afterKeys(workspaceId, query),
  },
  ({ ctx, workspace, query, prefetched }) => listEventLog(ctx, workspace.id, prefetched, query),
)
