import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Calendar, CalendarQuery, readCalendar } from '../../../shared/posts/reading/calendar.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts/calendar',
    summary: 'Count the posts of each day',
    description:
      'Returns how many posts each day of a range has, how many of them failed, and the first of them, so that a month takes one request. `groupsPerDay` has the posts of one request together, failures first. For the other posts of a day, list the posts with `sort=scheduledAt` and the day as `from` and `to`. The counts are eventually consistent: a change can appear a moment later.',
    access: scope('posts:read'),
    query: CalendarQuery,
    status: 200,
    data: Calendar,
    errors: [],
    needs: ['table:read', 'query:time', 'query:status'],
  },
  ({ ctx, workspace, query }) => readCalendar(ctx, workspace, query),
)
