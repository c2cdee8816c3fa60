import type { Context } from '../../context.ts'
import type { SpeechSettings, TextSettings } from '../settings.ts'

/** One question to a model: our instructions, and the data of users, which are never instructions. */
export interface Prompt {
  system: string
  /** JSON. */
  data: string
  maxTokens: number
}

export interface Usage {
  inputTokens: number
  outputTokens: number
}

export interface Completion extends Usage {
  text: string
}

/** What every text provider offers: one response, without tools. Throws a ProviderFailure. */
export type TextModel = (
  ctx: Context,
  settings: TextSettings,
  prompt: Prompt,
  limits: { signal: AbortSignal; timeoutMs: number },
) => Promise<Completion>

/** Few texts have more tokens than half their bytes. */
export const maxInputTokens = ({ system, data }: Pick<Prompt, 'system' | 'data'>): number =>
  Math.ceil(Buffer.byteLength(system + data) / 2) + 50

/** Tokens of a text if the provider does not report their number. */
export const estimatedTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** What tokens cost, in millionths of a US dollar, rounded up. */
export const priceOf = ({ inputPrice, outputPrice }: TextSettings, { inputTokens, outputTokens }: Usage): number =>
  Math.ceil((inputTokens * inputPrice + outputTokens * outputPrice) / 1000)

/**
 * The maximum cost of a prompt, including the call that shortens its response: instructions of about the same length, and a
 * response of at most `maxTokens` as data. It is reserved before the first call.
 */
export const maxCostOf = (settings: TextSettings, prompt: Prompt): number => {
  const { maxTokens } = prompt
  const first = { inputTokens: maxInputTokens(prompt), outputTokens: maxTokens }
  const second = { inputTokens: maxInputTokens({ ...prompt, data: '' }) + maxTokens, outputTokens: maxTokens }
  return priceOf(settings, first) + priceOf(settings, second)
}

/** What some seconds of speech cost, in millionths of a US dollar, rounded up. */
export const priceOfSpeech = ({ minutePrice }: SpeechSettings, seconds: number): number =>
  Math.ceil((seconds * minutePrice) / 60)
