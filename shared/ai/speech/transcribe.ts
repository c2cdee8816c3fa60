import * as z from 'zod/mini'
import { isGone, readObject, removeObject } from '../../aws/bucket.ts'
import { failureOf } from '../../aws/failure.ts'
import { findTranscription, removeTranscription, startTranscription } from '../../aws/transcribe.ts'
import type { Context } from '../../context.ts'
import { incomingFilesOf } from '../../media/reference.ts'
import { ProviderFailure } from '../failure.ts'
import type { SpeechSettings } from '../settings.ts'
import { type Recognizer, type SpeechJob, storableText, type Transcript } from './recognizer.ts'

/** How long a running transcription is not checked. */
const waitSeconds = 10

/** The parts that are used of a transcript (Amazon Transcribe guide, "Data input and output"). */
const Output = z.object({
  results: z.object({
    transcripts: z.array(z.object({ transcript: z.string() })),
    items: z.optional(z.array(z.object({ end_time: z.optional(z.string()) }))),
  }),
})

const nameOf = ({ jobPrefix = '' }: SpeechSettings, { id }: SpeechJob): string => `${jobPrefix}${id}`

/**
 * In addition to the uploads of the workspace, which are not served, expire after a day, and are deleted with the workspace.
 */
const outputKeyOf = ({ workspaceId, id }: SpeechJob): string => `${incomingFilesOf(workspaceId)}${id}.json`

const parse = (bytes: Uint8Array): z.infer<typeof Output> => {
  try {
    return z.parse(Output, JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch {
    throw new ProviderFailure('malformed', 'a transcript of another shape')
  }
}

const readTranscript = async (ctx: Context, job: SpeechJob, language: string | undefined): Promise<Transcript> => {
  const bytes = await readObject(ctx, outputKeyOf(job)).catch((error: unknown) => {
    throw isGone(error) ? new ProviderFailure('malformed', 'the transcript is missing') : error
  })
  const { transcripts, items = [] } = parse(bytes).results
  const seconds = items.reduce((last, { end_time: end }) => Math.max(last, Number(end ?? 0)), 0)
  const text = transcripts.map(({ transcript }) => transcript).join('\n')
  return {
    text: storableText(text),
    ...(language === undefined ? {} : { language }),
    ...(Number.isFinite(seconds) && seconds > 0 ? { seconds } : {}),
  }
}

interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number }
}

/** The name of an AWS error. Its message is not used because it can name files. */
const classify = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof ProviderFailure) return error
  const { name, $metadata }: SdkError = error
  const failure = failureOf(error)
  if (failure === 'refused' || /^LimitExceeded/.test(name)) return new ProviderFailure('busy', name)
  if (failure === 'unknown' || name === 'SyntaxError') return new ProviderFailure('unreachable', name)
  return ($metadata?.httpStatusCode ?? 0) >= 400 ? new ProviderFailure('rejected', name) : error
}

/** Amazon Transcribe, whose jobs are found by name: after a worker dies, the next one continues its job. */
export const transcribe: Recognizer = {
  async transcribe(ctx, settings, job) {
    const { storageKey, language } = job.task
    const name = nameOf(settings, job)
    try {
      const transcription = await findTranscription(ctx, name)
      if (transcription === undefined) {
        await startTranscription(ctx, { name, storageKey, outputKey: outputKeyOf(job), language })
        return { waitSeconds }
      }
      const { TranscriptionJobStatus: status, LanguageCode } = transcription
      if (status === 'COMPLETED') return await readTranscript(ctx, job, LanguageCode)
      // The reason is about the file: its format, its length, or its bytes.
      if (status === 'FAILED') throw new ProviderFailure('unusable', 'the transcription failed')
      return { waitSeconds }
    } catch (error) {
      throw classify(error)
    }
  },
  async forget(ctx, settings, job) {
    await Promise.all([removeObject(ctx, outputKeyOf(job)), removeTranscription(ctx, nameOf(settings, job))])
  },
}
