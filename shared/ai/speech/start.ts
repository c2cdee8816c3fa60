import { putSpeech } from '../../aws/speech-file.ts'
import type { Context } from '../../context.ts'
import type { BatchRows, Key } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { BinaryBody } from '../../http/contract.ts'
import { assetNotFound, assets } from '../../media/asset.ts'
import { incomingFilesOf } from '../../media/reference.ts'
import { kindOf, maxVideoBytes } from '../../media/types.ts'
import { counted } from '../../text/counting.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { newJobId, startJob } from '../jobs/start.ts'
import type { TranscriptionTask } from '../jobs/task.ts'
import type { AiJobView } from '../jobs/view.ts'
import { priceOfSpeech } from '../models/model.ts'
import { type SpeechSettings, speechSettings } from '../settings.ts'
import type { TranscribeRequest } from './request.ts'

/**
 * The largest file that each provider accepts (OpenAI guide "Speech to text"; Amazon Transcribe accepts all files that we
 * store).
 */
const maxBytes: Readonly<Record<SpeechSettings['provider'], number>> = { openai: 25_000_000, transcribe: maxVideoBytes }

const maxBytesOf = ({ provider }: SpeechSettings): number => maxBytes[provider]

/** The settings of the speech recognition; throws 503 if the deployment has none. */
const requireSpeech = (ctx: Context): SpeechSettings => {
  const settings = speechSettings(ctx)
  if (settings !== undefined) return settings
  throw new Refusal('unavailable', 'This deployment has no speech recognition. Ask the operator to configure it.', {
    code: 'speech_not_configured',
  })
}

interface SpeechRequest {
  workspaceId: string
  body: TranscribeRequest | undefined
}

/** The row of the file that a request names, read together with the authorization. */
export const speechKeys = ({ workspaceId, body }: SpeechRequest): Key[] =>
  body === undefined ? [] : [assets.key({ workspaceId, id: body.mediaId })]

/** Recordings of speech have at least 16 kbit/s, so this is the longest duration for the size. */
const leastBytesPerSecond = 2_000

/** Most have about 64 kbit/s. */
const usualBytesPerSecond = 8_000

const lengthsOf = (fileSize: number) => ({
  seconds: Math.ceil(fileSize / leastBytesPerSecond),
  usualSeconds: Math.ceil(fileSize / usualBytesPerSecond),
})

const knownLength = (durationMs: number) => {
  const seconds = Math.ceil(durationMs / 1000)
  return { seconds, usualSeconds: seconds }
}

const mediaTask = (rows: BatchRows, workspaceId: string, body: TranscribeRequest): TranscriptionTask => {
  const asset = assets.from(rows, { workspaceId, id: body.mediaId })
  if (asset === undefined) throw assetNotFound(body.mediaId)
  if (kindOf(asset.mimeType) !== 'video') {
    throw new Refusal('invalid', 'The file cannot be transcribed. Use a recording of speech in a common format.', {
      code: 'media_without_speech',
      field: 'mediaId',
    })
  }
  const { storageKey, mimeType, fileSize, durationMs } = asset
  return {
    type: 'transcribe',
    storageKey,
    isUpload: false,
    mimeType,
    fileSize,
    ...(durationMs === undefined ? lengthsOf(fileSize) : knownLength(durationMs)),
    ...(body.language === undefined ? {} : { language: body.language }),
  }
}

const uploadTask = (workspaceId: string, id: string, { bytes, type: mimeType }: BinaryBody): TranscriptionTask => ({
  type: 'transcribe',
  storageKey: `${incomingFilesOf(workspaceId)}${id}`,
  isUpload: true,
  mimeType,
  fileSize: bytes.byteLength,
  ...lengthsOf(bytes.byteLength),
})

const assertSize = (settings: SpeechSettings, { fileSize }: TranscriptionTask): void => {
  const allowedBytes = maxBytesOf(settings)
  if (fileSize <= allowedBytes) return
  const text = `The file has ${counted(fileSize, 'byte')}. The speech recognition takes at most ${allowedBytes}.`
  throw new Refusal('too-large', text, { code: 'media_too_large' })
}

/** The parts of a transcription request. */
interface Speech {
  userId: string
  /** Not there if the recording is the body. */
  body: TranscribeRequest
  binary: BinaryBody | undefined
  rows: BatchRows
}

/** Accepts a transcription: stores a recording that was sent as the body, and starts the job. */
export const startSpeechJob = async (
  ctx: Context,
  workspace: Workspace,
  { userId, body, binary, rows }: Speech,
): Promise<AiJobView> => {
  const settings = requireSpeech(ctx)
  const id = newJobId(ctx)
  const task = binary ? uploadTask(workspace.id, id, binary) : mediaTask(rows, workspace.id, body)
  assertSize(settings, task)
  if (binary) await putSpeech(ctx, task.storageKey, binary.bytes, binary.type)
  const start = { id, userId, reservedMicroUsd: priceOfSpeech(settings, task.seconds) }
  return startJob(ctx, workspace, start, task)
}
