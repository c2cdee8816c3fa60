import { workspaceSession } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { AiJobView, findJob, jobKeys, viewJob } from '../../../shared/ai/jobs/view.ts'
import { idPath } from '../../../shared/http/id.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/ai/jobs/{id}',
    summary: 'Get an AI job',
    description:
      'The status of a job, and its result. The person who started it can read it for seven days after it has ended.',
    access: workspaceSession,
    params: idPath('The ID of the job, `aij_…`.'),
    status: 200,
    data: AiJobView,
    errors: ['ai_job_not_found'],
    needs: ['table:read'],
    limit: 'ai',
    prefetch: jobKeys,
  },
  ({ ctx, workspace, principal: { userId }, params, prefetched }) =>
    viewJob(findJob(ctx, prefetched, { workspaceId: workspace.id, userId, params })),
)
