import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { capKey, capUsage, monthOf, XCapUsage } from '../../../shared/posts/x-cap.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts/x-cap-usage',
    summary: 'Get X cap usage',
    description:
      'X charges for posts, so each workspace has a monthly cap. Scheduled and published posts to X count in the month (UTC) of their time. Each tweet of a thread counts.',
    access: scope('posts:read'),
    status: 200,
    data: XCapUsage,
    errors: [],
    needs: ['table:read'],
    prefetch: ({ ctx, workspaceId }) => [capKey(workspaceId, monthOf(ctx.clock.now()))],
  },
  ({ ctx, workspace, prefetched }) => capUsage(ctx, workspace, prefetched),
)
