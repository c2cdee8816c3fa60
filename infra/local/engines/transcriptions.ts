import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type AiFault, type AiFaults, hugeText, openAiFaults } from '../ai/faults.ts'
import { transcriptOf } from '../ai/speech.ts'
import type { JsonAnswer, JsonRequest } from '../iam/json.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { startJsonServer } from './json-server.ts'
import { openStateFile } from './state-file.ts'

const Name = z.string().check(z.regex(/^[0-9a-zA-Z._-]{1,200}$/))

/** The parts that our client sends (Amazon Transcribe API, StartTranscriptionJob). */
const StartInput = z.strictObject({
  TranscriptionJobName: Name,
  Media: z.strictObject({ MediaFileUri: z.string().check(z.regex(/^s3:\/\/[^/]+\/.+$/)) }),
  OutputBucketName: z.string(),
  OutputKey: z.string(),
  IdentifyLanguage: z.optional(z.literal(true)),
  LanguageCode: z.optional(z.string()),
})
const NameInput = z.strictObject({ TranscriptionJobName: Name })

const Job = z.object({
  name: z.string(),
  media: z.string(),
  bucket: z.string(),
  key: z.string(),
  language: z.string(),
  status: z.enum(['IN_PROGRESS', 'COMPLETED', 'FAILED']),
  startedAtMs: z.number(),
})
type Job = z.infer<typeof Job>

/** How long a transcription runs. */
const runsMs = 15_000

/** The bucket as the service reads and writes it on behalf of its caller. */
export interface SpeechFiles {
  read(bucket: string, key: string): Promise<Buffer | undefined>
  write(bucket: string, key: string, text: string): Promise<void>
}

export interface TranscriptionsOptions extends EngineOptions {
  files: SpeechFiles
  faults?: AiFaults
}

const view = ({ name, media, bucket, key, language, status, startedAtMs }: Job) => ({
  TranscriptionJob: {
    TranscriptionJobName: name,
    TranscriptionJobStatus: status,
    Media: { MediaFileUri: media },
    CreationTime: startedAtMs / 1000,
    ...(status === 'COMPLETED'
      ? { LanguageCode: language, Transcript: { TranscriptFileUri: `https://s3.amazonaws.com/${bucket}/${key}` } }
      : {}),
    ...(status === 'FAILED' ? { FailureReason: 'The data in your input media file is not valid.' } : {}),
  },
})

const refuse = (status: number, type: string, message: string): JsonAnswer => ({
  status,
  headers: { 'x-amzn-errortype': type },
  body: { __type: type, message },
})

const missing = () =>
  refuse(
    400,
    'BadRequestException',
    "The requested job couldn't be found. Check the job name and try your request again.",
  )

/** The document that a transcription writes (Amazon Transcribe guide, "Data input and output"). */
const outputOf = ({ name }: Job, bytes: Buffer, fault: AiFault['fault'] | undefined): string => {
  const { text: said, seconds } = transcriptOf(bytes)
  const text = fault === 'huge' ? hugeText().slice(0, 10_000_000).replaceAll('word', '言葉') : said
  const spoken = said.split(' ')
  const items = spoken.map((content, n) => ({
    type: 'pronunciation',
    alternatives: [{ confidence: '0.99', content }],
    start_time: ((seconds * n) / spoken.length).toFixed(2),
    end_time: ((seconds * (n + 1)) / spoken.length).toFixed(2),
  }))
  return JSON.stringify({ jobName: name, status: 'COMPLETED', results: { transcripts: [{ transcript: text }], items } })
}

/** Amazon Transcribe on 127.0.0.1. A file that begins with "not speech" fails; with `not_json` no transcript is written. */
export const startTranscriptions = async (options: TranscriptionsOptions): Promise<Engine> => {
  const { clock, folder, port = 0, guard, files, faults = openAiFaults() } = options
  const file = openStateFile(folder && join(folder, 'transcriptions.json'), z.array(Job), [])
  const jobs = file.value

  const start = (body: unknown): JsonAnswer => {
    const parsed = z.safeParse(StartInput, body)
    if (!parsed.success) return refuse(400, 'BadRequestException', z.prettifyError(parsed.error))
    const { TranscriptionJobName: name, Media, OutputBucketName, OutputKey, LanguageCode } = parsed.data
    if (jobs.some((job) => job.name === name)) {
      return refuse(400, 'ConflictException', 'The requested job name already exists. Use a different job name.')
    }
    const job: Job = {
      name,
      media: Media.MediaFileUri,
      bucket: OutputBucketName,
      key: OutputKey,
      language: LanguageCode ?? 'en-US',
      status: 'IN_PROGRESS',
      startedAtMs: clock.now(),
    }
    jobs.push(job)
    file.save()
    return { status: 200, body: view(job) }
  }

  const finish = async (job: Job, fault: AiFault['fault'] | undefined) => {
    const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/.exec(job.media) ?? []
    const bytes = await files.read(bucket, key)
    const isSpeech = bytes !== undefined && !bytes.subarray(0, 10).equals(Buffer.from('not speech'))
    const text = isSpeech && fault !== 'malformed' ? outputOf(job, bytes, fault) : '{"unexpected":true}'
    if (isSpeech && fault !== 'not_json') await files.write(job.bucket, job.key, text)
    job.status = isSpeech ? 'COMPLETED' : 'FAILED'
    file.save()
  }

  const get = async (body: unknown, fault: AiFault['fault'] | undefined): Promise<JsonAnswer> => {
    const job = jobs.find(({ name }) => name === z.parse(NameInput, body).TranscriptionJobName)
    if (job === undefined) return missing()
    if (job.status === 'IN_PROGRESS' && clock.now() >= job.startedAtMs + runsMs) await finish(job, fault)
    return { status: 200, body: view(job) }
  }

  const remove = (body: unknown): JsonAnswer => {
    const at = jobs.findIndex(({ name }) => name === z.parse(NameInput, body).TranscriptionJobName)
    if (at < 0) return missing()
    jobs.splice(at, 1)
    file.save()
    return { status: 200, body: {} }
  }

  const answer = async ({ headers, body }: JsonRequest): Promise<JsonAnswer> => {
    const operation = String(headers['x-amz-target'] ?? '').replace(/^Transcribe\./, '')
    const fault = faults.take('transcribe')
    if (fault?.fault === 'status') {
      return refuse(
        fault.status ?? 500,
        fault.status === 429 ? 'LimitExceededException' : 'InternalFailureException',
        '',
      )
    }
    if (fault?.fault === 'reset' || fault?.fault === 'hang') return { status: 500, body: {}, trouble: fault.fault }
    if (fault?.fault === 'slow') await sleep(fault.delayMs ?? 1_000)
    if (operation === 'StartTranscriptionJob') return start(body)
    if (operation === 'GetTranscriptionJob') return get(body, fault?.fault)
    if (operation === 'DeleteTranscriptionJob') return remove(body)
    return refuse(400, 'UnknownOperationException', `Operation ${operation} is not known here.`)
  }
  return startJsonServer(port, 'application/x-amz-json-1.1', answer, guard, { overSocket: true })
}
