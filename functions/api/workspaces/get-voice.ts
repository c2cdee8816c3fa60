import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { findVoice, Voice, voiceKeys } from '../../../shared/workspaces/voice.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}/ai-voice-settings',
    summary: 'Get the AI voice settings',
    description: 'Returns null if no settings are stored.',
    access: scope('workspace:read'),
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    status: 200,
    data: z.nullable(Voice),
    errors: [],
    needs: ['table:read'],
    prefetch: voiceKeys,
  },
  ({ workspace, prefetched }) => findVoice(prefetched, workspace.id),
)
