import type { Kit } from '../start.ts'
import { minuteMs } from './preparations.ts'
import type { Traveller } from './traveller.ts'

/** A job whose message is lost, and one whose provider is away for a while. */
export const writeInTrouble = async ({ kit, losing }: Traveller) => {
  const body = { prompt: 'A loaf', platforms: ['x' as const] }
  await losing([{ functionName: 'ai-create-job', queue: 'ai' }], () => kit.sessionApi.ai.createJob({ body }))
  await kit.service.pass(3 * minuteMs)
  kit.service.ai.faults.add({ service: 'bedrock', times: 2, fault: 'status', status: 503 })
  await kit.sessionApi.ai.createJob({ body })
  await kit.service.pass(3 * minuteMs)
  await transcribeRecording(kit)
  // The transcript is not where it should be.
  kit.service.ai.faults.add({ service: 'transcribe', times: 20, fault: 'not_json' })
  await transcribeRecording(kit)
  kit.service.ai.faults.clear()
}

/** A recording that is sent as the body. */
const transcribeRecording = async ({ url, sessionToken, workspaceId, service }: Kit) => {
  const headers = {
    Authorization: `Bearer ${sessionToken}`,
    'X-Workspace-Id': workspaceId,
    'Content-Type': 'audio/mpeg',
  }
  const { status } = await fetch(`${url}/api/ai/transcribe`, { method: 'POST', headers, body: 'a recording' })
  if (status !== 202) throw new Error(`a recording is answered with ${status}`)
  await service.pass(3 * minuteMs)
}
