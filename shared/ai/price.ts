import type { Prompt, Usage } from './models/model.ts'
import type { SpeechSettings, TextSettings } from './settings.ts'
import { maxTokensFor } from './text/prompts.ts'

/** What tokens cost, in millionths of a US dollar, rounded up. */
export const priceOf = ({ inputPrice, outputPrice }: TextSettings, { inputTokens, outputTokens }: Usage): number =>
  Math.ceil((inputTokens * inputPrice + outputTokens * outputPrice) / 1000)

/** Few texts have more tokens than half their bytes. */
const mostInputTokens = ({ system, data }: Prompt): number => Math.ceil(Buffer.byteLength(system + data) / 2) + 50

/** Each call can be followed by one that asks for a shorter text, with the first answer as its data. */
const callsPerText = 2

/** What a prompt costs at most, with the call that shortens its answer. It is reserved before the first call. */
export const mostOf = (settings: TextSettings, prompt: Prompt): number =>
  callsPerText *
  priceOf(settings, {
    inputTokens: Math.max(mostInputTokens(prompt), maxTokensFor(0) + prompt.maxTokens * 4),
    outputTokens: prompt.maxTokens,
  })

/** What some seconds of speech cost, in millionths of a US dollar, rounded up. */
export const priceOfSpeech = ({ minutePrice }: SpeechSettings, seconds: number): number =>
  Math.ceil((seconds * minutePrice) / 60)
