import * as z from 'zod/mini'
import { type Context, perContext } from '../../context.ts'
import { ProviderFailure } from '../failure.ts'
import type { TextSettings } from '../settings.ts'
import { authorization } from './api-key.ts'
import { estimatedTokens, type Prompt, type TextModel } from './model.ts'
import { callOpenAi, UnsupportedParameter } from './openai-http.ts'

const Count = z.int().check(z.minimum(0))

/** The parts of a response that are used (OpenAI API reference, "The chat completion object"). */
const Answer = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.nullish(z.string()), refusal: z.nullish(z.string()) }),
        finish_reason: z.nullish(z.string()),
      }),
    )
    .check(z.minLength(1)),
  usage: z.nullish(z.object({ prompt_tokens: Count, completion_tokens: Count })),
})

/** Reasoning models of OpenAI take `max_completion_tokens`; most compatible servers know only the older name. */
type LimitName = 'max_tokens' | 'max_completion_tokens'
const limitName = perContext(() => ({ name: 'max_tokens' as LimitName }))

const ask = async (ctx: Context, settings: TextSettings, { system, data, maxTokens }: Prompt, timeoutMs: number) => {
  const body = {
    model: settings.model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: data },
    ],
    [limitName(ctx).name]: maxTokens,
  }
  return callOpenAi(ctx, {
    url: `${settings.baseUrl}/chat/completions`,
    headers: { 'Content-Type': 'application/json', ...(await authorization(ctx, 'textApiKey')) },
    body: JSON.stringify(body),
    timeoutMs,
    resource: 'text',
  })
}

/** A model behind `/chat/completions`. */
export const openai: TextModel = async (ctx, settings, prompt, { timeoutMs }) => {
  const json = await ask(ctx, settings, prompt, timeoutMs).catch((error: unknown) => {
    const known = limitName(ctx)
    if (!(error instanceof UnsupportedParameter) || error.parameter !== known.name) throw error
    known.name = known.name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
    return ask(ctx, settings, prompt, timeoutMs)
  })
  const parsed = z.safeParse(Answer, json)
  if (!parsed.success) throw new ProviderFailure('malformed', 'a response of another shape')
  const [choice] = parsed.data.choices
  if (choice?.finish_reason === 'content_filter') throw new ProviderFailure('filtered', 'content_filter')
  if (choice?.message.refusal) throw new ProviderFailure('filtered', 'refusal')
  const text = choice?.message.content ?? ''
  if (text === '') throw new ProviderFailure('malformed', 'a response without text')
  const { usage } = parsed.data
  return {
    text,
    inputTokens: usage?.prompt_tokens ?? estimatedTokens(prompt.system + prompt.data),
    outputTokens: usage?.completion_tokens ?? estimatedTokens(text),
  }
}
