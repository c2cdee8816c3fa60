import { workspaceSession } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { AiUsageView, usageKeys, viewUsage } from '../../../shared/ai/budget/view.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/ai/usage',
    summary: 'Get AI usage',
    description: 'What AI has cost the workspace in the current month, and its budget.',
    access: workspaceSession,
    status: 200,
    data: AiUsageView,
    errors: [],
    needs: ['table:read', 'ai-budget'],
    limit: 'ai',
    prefetch: usageKeys,
  },
  ({ ctx, workspace, prefetched }) => viewUsage(ctx, workspace, prefetched),
)
