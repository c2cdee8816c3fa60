import * as z from 'zod/mini'
import { type Context, perContext } from '../context.ts'

const Off = z.object({ provider: z.literal('off') })

/** The model that writes texts; prices are in millionths of a US dollar per 1,000 tokens. */
const TextModel = z.object({
  provider: z.enum(['bedrock', 'openai']),
  model: z.string(),
  /** For `openai`: the address below which `/chat/completions` is. */
  baseUrl: z.optional(z.string()),
  inputPrice: z.number(),
  outputPrice: z.number(),
  /** The timeout of one call. */
  timeoutMs: z.number(),
})
export type TextSettings = z.infer<typeof TextModel>

/** What transcribes speech; the price is in millionths of a US dollar per minute. */
const SpeechModel = z.object({
  provider: z.enum(['transcribe', 'openai']),
  /** For `openai`. */
  model: z.optional(z.string()),
  /** For `openai`: the address below which `/audio/transcriptions` is. */
  baseUrl: z.optional(z.string()),
  /** For `transcribe`: the prefix of its job names. */
  jobPrefix: z.optional(z.string()),
  minutePrice: z.number(),
  timeoutMs: z.number(),
})
export type SpeechSettings = z.infer<typeof SpeechModel>

const speech = perContext((ctx) => z.parse(z.union([Off, SpeechModel]), JSON.parse(ctx.env('AI_SPEECH'))))
const text = perContext((ctx) => z.parse(z.union([Off, TextModel]), JSON.parse(ctx.env('AI_TEXT'))))

/** The model that writes texts; undefined if the deployment has none. */
export const textSettings = (ctx: Context): TextSettings | undefined => {
  const settings = text(ctx)
  return settings.provider === 'off' ? undefined : settings
}

/** The speech recognizer; undefined if the deployment has none. */
export const speechSettings = (ctx: Context): SpeechSettings | undefined => {
  const settings = speech(ctx)
  return settings.provider === 'off' ? undefined : settings
}
