import { openAiFaults } from '../ai/faults.ts'
import { openModel } from '../ai/model.ts'
import { startOpenAi } from '../ai/openai.ts'
import { startBedrock } from '../engines/bedrock.ts'
import { startTranscriptions } from '../engines/transcriptions.ts'
import { bedrockAccess } from '../iam/actions/bedrock.ts'
import { transcribeAccess } from '../iam/actions/transcribe.ts'
import { guardOf } from '../iam/guard.ts'
import type { Closing } from './closing.ts'
import type { OutsideParts } from './outside.ts'
import { speechFilesOf } from './speech-files.ts'

/** Starts stand-ins for AI: Bedrock, Transcribe, and an OpenAI-compatible server, which invent what they answer. */
export const startAi = async (
  { clock, folder, engines, authority }: Pick<OutsideParts, 'clock' | 'folder' | 'engines' | 'authority'>,
  closing: Closing,
) => {
  const [model, faults] = [openModel(), openAiFaults()]
  const options = { clock, ...(folder === undefined ? {} : { folder }) }
  const files = speechFilesOf(engines.buckets, engines.credentials)
  const [bedrock, transcriptions, openAi] = await Promise.all([
    closing.hold(startBedrock({ model, faults, guard: guardOf(authority, bedrockAccess) })),
    closing.hold(startTranscriptions({ ...options, files, faults, guard: guardOf(authority, transcribeAccess) })),
    closing.hold(startOpenAi(model, faults)),
  ])
  return {
    model,
    faults,
    openAiUrl: openAi.url,
    sdk: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url, AWS_ENDPOINT_URL_TRANSCRIBE: transcriptions.url },
  }
}
