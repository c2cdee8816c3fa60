import * as z from 'zod/mini'
import { scopeAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { changeVoice, Voice, VoiceChange } from '../../../shared/workspaces/voice.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/workspaces/{id}/ai-voice-settings',
    summary: 'Update the AI voice settings',
    description:
      'Omitted fields keep their values. An empty text or null clears a field, and null as the body clears all fields.',
    access: scopeAdmin('workspace:write'),
    params: IdPath,
    body: VoiceChange,
    status: 200,
    data: z.nullable(Voice),
    errors: [],
    needs: ['table:read', 'table:write'],
  },
  ({ ctx, workspace, body }) => changeVoice(ctx, workspace.id, body),
)
