import * as z from 'zod/mini'
import { isGone, readObject } from '../../aws/bucket.ts'
import { multipart } from '../../platforms/multipart.ts'
import { ProviderFailure } from '../failure.ts'
import { authorization } from '../models/api-key.ts'
import { callOpenAi } from '../models/openai-http.ts'
import { type Recognizer, storableText } from './recognizer.ts'

/** The parts of a response that are used (OpenAI API reference, "Create transcription", `response_format: json`). */
const Answer = z.object({
  text: z.string(),
  usage: z.nullish(z.object({ seconds: z.nullish(z.number()) })),
})

const extensions: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/webm': 'webm',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mp4',
}

const readFile = async (...[ctx, key]: Parameters<typeof readObject>) =>
  readObject(ctx, key).catch((error: unknown) => {
    throw isGone(error) ? new ProviderFailure('rejected', 'the file is gone') : error
  })

/** A recognizer behind `/audio/transcriptions`, which takes the file in one call. */
export const openai: Recognizer = {
  async transcribe(ctx, settings, { task: { storageKey, mimeType, language } }) {
    const form = multipart([
      { name: 'model', value: settings.model ?? '' },
      { name: 'response_format', value: 'json' },
      ...(language === undefined ? [] : [{ name: 'language', value: language.split('-')[0] ?? language }]),
      {
        name: 'file',
        value: await readFile(ctx, storageKey),
        filename: `speech.${extensions[mimeType] ?? 'mp4'}`,
        type: mimeType,
      },
    ])
    const json = await callOpenAi(ctx, {
      url: `${settings.baseUrl}/audio/transcriptions`,
      headers: { 'Content-Type': form.type, ...(await authorization(ctx, 'speechApiKey')) },
      body: form.bytes,
      timeoutMs: settings.timeoutMs,
      resource: 'speech',
    })
    const parsed = z.safeParse(Answer, json)
    if (!parsed.success) throw new ProviderFailure('malformed', 'a response of another shape')
    const { text, usage } = parsed.data
    return {
      text: storableText(text),
      ...(usage?.seconds === undefined || usage.seconds === null ? {} : { seconds: usage.seconds }),
    }
  },
  forget: async () => {},
}
