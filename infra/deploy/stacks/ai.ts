import * as z from 'zod/mini'
import type { Names } from './names.ts'

const Price = z.number().check(z.minimum(0), z.maximum(1_000_000_000))
const BaseUrl = z.url().check(z.regex(/^https?:.*[^/]$/))
const Model = z.string().check(z.minLength(1))

/** The providers of AI; each is off by default. */
export const aiSettings = {
  /** Who writes texts: a model of Amazon Bedrock, or an OpenAI-compatible endpoint. */
  aiText: z._default(z.enum(['off', 'bedrock', 'openai']), 'off'),
  aiTextModel: z.optional(Model),
  /** For `openai`: the address below which `/chat/completions` is. */
  aiTextBaseUrl: z._default(BaseUrl, 'https://api.openai.com/v1'),
  /** What 1,000 tokens cost, in millionths of a US dollar. */
  aiTextPrice: z.optional(z.strictObject({ input: Price, output: Price })),
  /** Who transcribes speech: Amazon Transcribe, or an OpenAI-compatible endpoint. */
  aiSpeech: z._default(z.enum(['off', 'transcribe', 'openai']), 'off'),
  /** For `openai`. */
  aiSpeechModel: z._default(Model, 'whisper-1'),
  /** For `openai`: the address below which `/audio/transcriptions` is. */
  aiSpeechBaseUrl: z._default(BaseUrl, 'https://api.openai.com/v1'),
  /** The price of a minute, in millionths of a US dollar. */
  aiSpeechPrice: z.optional(Price),
}

const url = 'a URL without a slash at the end, for example "https://api.openai.com/v1"'

/** The allowed values of these settings, as the end of the error message. */
export const allowedAi = {
  aiText: '"off", "bedrock", or "openai"',
  aiTextModel: 'the id of a model, for example "amazon.nova-lite-v1:0"',
  aiTextBaseUrl: url,
  aiTextPrice: 'an object of millionths of a US dollar per 1,000 tokens, for example {"input":60,"output":240}',
  aiSpeech: '"off", "transcribe", or "openai"',
  aiSpeechModel: 'the id of a model, for example "whisper-1"',
  aiSpeechBaseUrl: url,
  aiSpeechPrice: 'millionths of a US dollar per minute, for example 24000',
}

const Settings = z.object(aiSettings)
type AiConfiguration = z.infer<typeof Settings>

/** The default models, with their list prices (read 2026-11-23). */
const usual = {
  bedrock: { model: 'amazon.nova-lite-v1:0', input: 60, output: 240 },
  openai: { model: 'gpt-4o-mini', input: 150, output: 600 },
}
const usualMinute = { transcribe: 24_000, openai: 6_000 }

/** The same prices, for `npm run cost`. */
export const aiPrices = { text: usual, minute: usualMinute }

/** A call must end before the endpoint that waits for it. */
const textTimeoutMs = 20_000
/** A whole file is sent and transcribed in one call, in a worker. */
const speechTimeoutMs = 90_000

/** The id of the model that writes texts. */
export const textModelOf = ({ aiText, aiTextModel }: Pick<AiConfiguration, 'aiText' | 'aiTextModel'>): string =>
  aiTextModel ?? (aiText === 'off' ? '' : usual[aiText].model)

/** The variable AI_TEXT (shared/ai/settings.ts). */
export const aiText = (configuration: AiConfiguration): object => {
  const { aiText: provider, aiTextBaseUrl: baseUrl, aiTextPrice } = configuration
  if (provider === 'off') return { provider }
  const { input, output } = aiTextPrice ?? usual[provider]
  return {
    provider,
    model: textModelOf(configuration),
    ...(provider === 'openai' ? { baseUrl } : {}),
    inputPrice: input,
    outputPrice: output,
    timeoutMs: textTimeoutMs,
  }
}

/** The variable AI_SPEECH. */
export const aiSpeech = (configuration: AiConfiguration & { names: Pick<Names, 'physical'> }): object => {
  const { aiSpeech: provider, aiSpeechModel: model, aiSpeechBaseUrl: baseUrl, aiSpeechPrice } = configuration
  if (provider === 'off') return { provider }
  return {
    provider,
    ...(provider === 'openai' ? { model, baseUrl } : { jobPrefix: configuration.names.physical('') }),
    minutePrice: aiSpeechPrice ?? usualMinute[provider],
    timeoutMs: speechTimeoutMs,
  }
}
