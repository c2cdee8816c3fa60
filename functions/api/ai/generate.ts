import { workspaceSession } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { deadlineIn } from '../../../shared/ai/deadline.ts'
import { runCharged } from '../../../shared/ai/jobs/call.ts'
import { generationKeys, maxCostOfTask, prepareGeneration, requireText } from '../../../shared/ai/prepare.ts'
import { Generated, GenerateRequest } from '../../../shared/ai/requests.ts'
import { answerWithinMs } from '../../../shared/ai/rewrite.ts'
import { generate } from '../../../shared/ai/text/generate.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/ai/generate',
    summary: 'Generate text',
    description:
      'Writes a text for each platform or account, with the voice settings of the workspace and the memories of the named collections. Every text is within all limits of its platform: one that is too long is shortened by the model, then cut. Answers within 25 seconds; POST /api/ai/jobs takes longer work. The cost is charged to the AI budget of the month. A request that fails costs nothing, and a repeat with the same `Idempotency-Key` returns the first response.',
    access: workspaceSession,
    body: GenerateRequest,
    status: 200,
    data: Generated,
    errors: [
      'account_not_found',
      'collection_not_found',
      'ai_not_configured',
      'ai_unavailable',
      'ai_content_filtered',
      'ai_budget_exceeded',
    ],
    needs: ['table:read', 'table:write', 'index:read', 'queue:index', 'ai:text', 'ai-budget'],
    limit: 'ai',
    memoryMb: wholeProcessorMb,
    idempotent: true,
    prefetch: generationKeys,
  },
  async ({ ctx, workspace, principal: { userId }, body, prefetched }) => {
    const deadline = deadlineIn(answerWithinMs)
    const settings = requireText(ctx)
    const task = await prepareGeneration(ctx, prefetched, { workspaceId: workspace.id, userId, body })
    const charge = { userId, settings, reservedMicroUsd: maxCostOfTask(settings, task) }
    return runCharged(ctx, workspace, charge, async () => {
      const { variants, usage } = await generate({ ctx, settings, deadline }, task)
      return { data: { variants }, usage }
    })
  },
)
