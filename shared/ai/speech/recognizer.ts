import type { Context } from '../../context.ts'
import type { TranscriptionTask } from '../jobs/task.ts'
import type { SpeechSettings } from '../settings.ts'

/** The transcript. */
export interface Transcript {
  text: string
  /** The language, if the provider names it. */
  language?: string
  /** The length of the speech, if the provider says it. */
  seconds?: number
}

/** The job of a worker, as far as a provider needs it. */
export interface SpeechJob {
  id: string
  workspaceId: string
  task: TranscriptionTask
}

/**
 * What every transcription provider offers: the transcript, or the seconds after which to ask again. The same job can be
 * requested any number of times. Throws a ProviderFailure.
 */
export interface Recognizer {
  transcribe(ctx: Context, settings: SpeechSettings, job: SpeechJob): Promise<Transcript | { waitSeconds: number }>
  /** Removes what the provider has stored for the job. */
  forget(ctx: Context, settings: SpeechSettings, job: SpeechJob): Promise<void>
}

/** More than anyone says in four hours. */
const maxCharacters = 250_000
/** As JSON. A row of DynamoDB has at most 400 KB. */
const maxBytes = 350_000

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text))

/** The part of a transcript that can be stored. */
export const storableText = (text: string): string => {
  let part = text.slice(0, maxCharacters)
  while (bytesOf(part) > maxBytes) part = part.slice(0, Math.floor((part.length * maxBytes) / bytesOf(part)))
  // Not the first half of a pair.
  return part.replace(/[\uD800-\uDBFF]$/, '')
}
