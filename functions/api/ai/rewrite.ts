import { workspaceSession } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { RewriteRequest, Rewritten } from '../../../shared/ai/requests.ts'
import { rewrite } from '../../../shared/ai/rewrite.ts'
import { findVoice, voiceKeys } from '../../../shared/workspaces/voice.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/ai/rewrite',
    summary: 'Rewrite text',
    description:
      'Makes a text shorter or longer, changes its tone, translates it, or adapts it to a platform. With `platform`, the text is within all limits of the platform. The cost is charged to the AI budget of the month; a request that fails costs nothing.',
    access: workspaceSession,
    body: RewriteRequest,
    status: 200,
    data: Rewritten,
    errors: ['ai_not_configured', 'ai_unavailable', 'ai_content_filtered', 'ai_budget_exceeded'],
    needs: ['table:read', 'table:write', 'ai:text', 'ai-budget'],
    limit: 'ai',
    idempotent: true,
    prefetch: voiceKeys,
  },
  ({ ctx, workspace, principal: { userId }, body, prefetched }) =>
    rewrite(ctx, { workspace, userId }, body, findVoice(prefetched, workspace.id)),
)
