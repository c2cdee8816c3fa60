import {
  DeleteTranscriptionJobCommand,
  GetTranscriptionJobCommand,
  type LanguageCode,
  StartTranscriptionJobCommand,
  TranscribeClient,
  type TranscriptionJob,
} from '@aws-sdk/client-transcribe'
import { type Context, perContext } from '../context.ts'
import { makeClient } from './client.ts'

const client = perContext((ctx) => makeClient(ctx, TranscribeClient, {}))

const run = <T>(ctx: Context, action: string, call: () => Promise<T>): Promise<T> =>
  ctx.observe({ service: 'transcribe', action, resource: 'speech' }, call)

const isNamed = (error: unknown, name: RegExp): boolean => error instanceof Error && name.test(error.name)

export interface TranscriptionRequest {
  name: string
  /** The file in the bucket of media files, and where its transcript is written. */
  storageKey: string
  outputKey: string
  /** A language code of Amazon Transcribe; the language is identified without one. */
  language: string | undefined
}

/** Starts the transcription of a file; does nothing if a job with this name exists. */
export const startTranscription = (
  ctx: Context,
  { name, storageKey, outputKey, language }: TranscriptionRequest,
): Promise<void> =>
  run(ctx, 'StartTranscriptionJob', async () => {
    const bucket = ctx.env('MEDIA_BUCKET')
    const command = new StartTranscriptionJobCommand({
      TranscriptionJobName: name,
      Media: { MediaFileUri: `s3://${bucket}/${storageKey}` },
      OutputBucketName: bucket,
      OutputKey: outputKey,
      ...(language === undefined ? { IdentifyLanguage: true } : { LanguageCode: language as LanguageCode }),
    })
    await client(ctx)
      .send(command)
      .catch((error: unknown) => {
        if (!isNamed(error, /^Conflict/)) throw error
      })
  })

/** A transcription by its name; undefined if there is none, which Amazon Transcribe reports as a bad request. */
export const findTranscription = (ctx: Context, name: string): Promise<TranscriptionJob | undefined> =>
  run(ctx, 'GetTranscriptionJob', async () => {
    try {
      const answer = await client(ctx).send(new GetTranscriptionJobCommand({ TranscriptionJobName: name }))
      return answer.TranscriptionJob
    } catch (error) {
      if (isNamed(error, /^(?:BadRequest|NotFound)/)) return undefined
      throw error
    }
  })

/** Removes a transcription from the list of Amazon Transcribe; a missing one is not an error. */
export const removeTranscription = (ctx: Context, name: string): Promise<void> =>
  run(ctx, 'DeleteTranscriptionJob', async () => {
    try {
      await client(ctx).send(new DeleteTranscriptionJobCommand({ TranscriptionJobName: name }))
    } catch (error) {
      if (!isNamed(error, /^(?:BadRequest|NotFound)/)) throw error
    }
  })
