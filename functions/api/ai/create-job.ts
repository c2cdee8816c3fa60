import { workspaceSession } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { newJobId, startJob } from '../../../shared/ai/jobs/start.ts'
import { AiJobView } from '../../../shared/ai/jobs/view.ts'
import { generationKeys, maxCostOfTask, prepareGeneration, requireText } from '../../../shared/ai/prepare.ts'
import { GenerateRequest } from '../../../shared/ai/requests.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/ai/jobs',
    summary: 'Generate text as a job',
    description:
      'Takes the body of POST /api/ai/generate. Read the job with GET /api/ai/jobs/{id}, or wait for the event `ai.completed`. What the job can cost is reserved in the AI budget; it is charged when the job is completed, once.',
    access: workspaceSession,
    body: GenerateRequest,
    status: 202,
    data: AiJobView,
    errors: ['account_not_found', 'collection_not_found', 'ai_not_configured', 'ai_budget_exceeded'],
    needs: ['table:read', 'table:write', 'index:read', 'queue:index', 'queue:ai', 'ai:text-settings', 'ai-budget'],
    limit: 'ai',
    memoryMb: wholeProcessorMb,
    prefetch: generationKeys,
  },
  async ({ ctx, workspace, principal: { userId }, body, prefetched }) => {
    const settings = requireText(ctx)
    const task = await prepareGeneration(ctx, prefetched, { workspaceId: workspace.id, userId, body })
    const start = { id: newJobId(ctx), userId, reservedMicroUsd: maxCostOfTask(settings, task) }
    return startJob(ctx, workspace, start, { type: 'generate', ...task })
  },
)
