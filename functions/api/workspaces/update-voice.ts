import * as z from 'zod/mini'
import { scopeAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { idPath } from '../../../shared/http/id.ts'
import { changeVoice, Voice, VoiceChange, voiceKeys } from '../../../shared/workspaces/voice.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/workspaces/{id}/ai-voice-settings',
    summary: 'Update the AI voice settings',
    description:
      'Omitted fields keep their values. An empty text or null clears a field, and null as the body clears all fields.',
    access: scopeAdmin('workspace:write'),
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    body: VoiceChange,
    status: 200,
    data: z.nullable(Voice),
    errors: ['concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: voiceKeys,
  },
  (call) =>
    changeVoice(call.ctx, { asRead: call.prefetched, workspaceId: call.workspace.id }, call.body, actorOf(call)),
)
