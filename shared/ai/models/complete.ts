import type { Context } from '../../context.ts'
import type { Deadline } from '../deadline.ts'
import { isRepeatable, ProviderFailure } from '../failure.ts'
import type { TextSettings } from '../settings.ts'
import { bedrock } from './bedrock.ts'
import { type Completion, maxInputTokens, type Prompt, type TextModel } from './model.ts'
import { openai } from './openai.ts'

const models: Readonly<Record<TextSettings['provider'], TextModel>> = { bedrock, openai }

/** A provider that requests a longer pause is not called again in the same request. */
const maxPauseSeconds = 5
const pauseSeconds = 1
/** Less time than this is not worth another attempt. */
const leastMs = 2_000

/** A provider can report absurd counts; those of a call are bounded by its limits. */
const bounded = (prompt: Prompt, { text, inputTokens, outputTokens }: Completion): Completion => ({
  text,
  inputTokens: Math.min(inputTokens, maxInputTokens(prompt)),
  outputTokens: Math.min(outputTokens, prompt.maxTokens),
})

/** Calls the configured model; after a transient failure once more, if the deadline leaves time. */
export const complete = async (
  ctx: Context,
  settings: TextSettings,
  prompt: Prompt,
  deadline: Deadline,
): Promise<Completion> => {
  const attempt = async () => {
    const timeoutMs = Math.min(settings.timeoutMs, deadline.remainingMs())
    if (timeoutMs <= 0) throw new ProviderFailure('timeout', 'no time left')
    const limits = { signal: deadline.signal, timeoutMs }
    return bounded(prompt, await models[settings.provider](ctx, settings, prompt, limits))
  }
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof ProviderFailure) || !isRepeatable(error)) throw error
    const seconds = error.retryAfterSeconds ?? pauseSeconds
    if (seconds > maxPauseSeconds || deadline.remainingMs() < seconds * 1000 + leastMs) throw error
    await ctx.clock.sleep(seconds * 1000)
    return attempt()
  }
}
