import type { Context } from '../../context.ts'
import type { TextSettings } from '../settings.ts'

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

/** What every provider of texts offers: one answer, without tools. Throws a ProviderFailure. */
export type TextModel = (
  ctx: Context,
  settings: TextSettings,
  prompt: Prompt,
  limits: { signal: AbortSignal; timeoutMs: number },
) => Promise<Completion>

/** Few texts have more tokens than half their bytes. */
export const mostInputTokens = ({ system, data }: Pick<Prompt, 'system' | 'data'>): number =>
  Math.ceil(Buffer.byteLength(system + data) / 2) + 50

/** Tokens of a text where a provider does not say how many there were. */
export const estimatedTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)
