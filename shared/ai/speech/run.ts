import { removeObject } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import { hourMs } from '../../time.ts'
import { ProviderFailure } from '../failure.ts'
import type { Ending } from '../jobs/finish.ts'
import type { AiJob } from '../jobs/job.ts'
import type { TranscriptionTask } from '../jobs/task.ts'
import { priceOfSpeech } from '../models/model.ts'
import { type SpeechSettings, speechSettings } from '../settings.ts'
import { openai } from './openai.ts'
import type { Recognizer, SpeechJob } from './recognizer.ts'
import { transcribe } from './transcribe.ts'

const recognizers: Readonly<Record<SpeechSettings['provider'], Recognizer>> = { openai, transcribe }

/** A transcription that has not ended by then never will. */
const maxAgeMs = 6 * hourMs

const speechJob = ({ id, workspaceId }: AiJob, task: TranscriptionTask): SpeechJob => ({ id, workspaceId, task })

/** The ending of a transcription, or the seconds after which to ask again. */
export const runTranscription = async (
  ctx: Context,
  job: AiJob,
  task: TranscriptionTask,
): Promise<Ending | { waitSeconds: number }> => {
  const settings = speechSettings(ctx)
  if (settings === undefined) throw new ProviderFailure('rejected', 'no provider is configured')
  const answer = await recognizers[settings.provider].transcribe(ctx, settings, speechJob(job, task))
  if ('waitSeconds' in answer) {
    const isOver = ctx.clock.now() - Date.parse(job.createdAt) > maxAgeMs
    if (isOver) throw new ProviderFailure('unusable', 'the transcription does not end')
    return answer
  }
  const { text, language, seconds = task.usualSeconds } = answer
  return {
    status: 'completed',
    result: { text, ...(language === undefined ? {} : { language }) },
    costMicroUsd: priceOfSpeech(settings, seconds),
    used: { speechSeconds: Math.ceil(seconds) },
  }
}

/** Removes what is no longer needed. Anything that a failure leaves behind expires after a day. */
export const cleanUp = async (ctx: Context, job: AiJob, task: TranscriptionTask): Promise<void> => {
  const settings = speechSettings(ctx)
  try {
    if (settings) await recognizers[settings.provider].forget(ctx, settings, speechJob(job, task))
    if (task.isUpload) await removeObject(ctx, task.storageKey)
  } catch (error) {
    ctx.log.warn('the files of a transcription are left to expire', { jobId: job.id, reason: String(error) })
  }
}
