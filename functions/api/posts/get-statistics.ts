import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { PostStatistics, readStatistics } from '../../../shared/posts/reading/statistics.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts/statistics',
    summary: 'Measure lateness and success of the last posts',
    description:
      'Returns how late the last 1,000 posts were whose time has passed, and how they ended: in all, by day, by platform, and by reason. The numbers are calculated from the stored attempts of these posts, at most once a minute.',
    access: scope('posts:read'),
    status: 200,
    data: PostStatistics,
    errors: [],
    needs: ['table:read', 'table:write', 'query:time'],
  },
  ({ ctx, workspace }) => readStatistics(ctx, workspace),
)
