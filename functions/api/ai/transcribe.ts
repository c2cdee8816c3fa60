import { workspaceSession } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { AiJobView } from '../../../shared/ai/jobs/view.ts'
import { maxSpeechBytes, speechTypes, TranscribeRequest } from '../../../shared/ai/speech/request.ts'
import { speechKeys, startSpeechJob } from '../../../shared/ai/speech/start.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/ai/transcribe',
    summary: 'Transcribe speech',
    description:
      'Transcribes a video of the workspace, or a recording of at most 4.5 MB that is sent as the body with its content type. Returns a job: read it with GET /api/ai/jobs/{id}, or wait for the event `ai.completed`. The cost is charged to the AI budget of the month by the length of the speech.',
    access: workspaceSession,
    body: TranscribeRequest,
    binary: { types: speechTypes, maxBytes: maxSpeechBytes },
    status: 202,
    data: AiJobView,
    errors: [
      'media_not_found',
      'media_without_speech',
      'media_too_large',
      'speech_not_configured',
      'ai_budget_exceeded',
    ],
    needs: ['table:read', 'table:write', 'incoming:write', 'queue:ai', 'ai:speech-settings', 'ai-budget'],
    limit: 'ai',
    prefetch: speechKeys,
  },
  ({ ctx, workspace, principal: { userId }, body, binary, prefetched: rows }) =>
    startSpeechJob(ctx, workspace, { userId, body, binary, rows }),
)
