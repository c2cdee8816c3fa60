import { mostInputTokens, type Prompt, type Usage } from './models/model.ts'
import type { SpeechSettings, TextSettings } from './settings.ts'

/** What tokens cost, in millionths of a US dollar, rounded up. */
export const priceOf = ({ inputPrice, outputPrice }: TextSettings, { inputTokens, outputTokens }: Usage): number =>
  Math.ceil((inputTokens * inputPrice + outputTokens * outputPrice) / 1000)

/**
 * What a prompt costs at most, with the call that shortens its answer: instructions of about the same length, and an
 * answer of at most `maxTokens` as data. It is reserved before the first call.
 */
export const mostOf = (settings: TextSettings, prompt: Prompt): number => {
  const { maxTokens } = prompt
  const first = { inputTokens: mostInputTokens(prompt), outputTokens: maxTokens }
  const second = { inputTokens: mostInputTokens({ ...prompt, data: '' }) + maxTokens, outputTokens: maxTokens }
  return priceOf(settings, first) + priceOf(settings, second)
}

/** What some seconds of speech cost, in millionths of a US dollar, rounded up. */
export const priceOfSpeech = ({ minutePrice }: SpeechSettings, seconds: number): number =>
  Math.ceil((seconds * minutePrice) / 60)
