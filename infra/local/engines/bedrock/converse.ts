import * as z from 'zod/mini'
import type { StandInModel } from '../../ai/model.ts'

const Text = z.strictObject({ text: z.string().check(z.minLength(1)) })

/** The parts that our client sends (Bedrock API, Converse). */
const Request = z.strictObject({
  system: z.array(Text).check(z.minLength(1)),
  messages: z.tuple([z.strictObject({ role: z.literal('user'), content: z.array(Text).check(z.minLength(1)) })]),
  inferenceConfig: z.strictObject({ maxTokens: z.int().check(z.minimum(1)) }),
})

export interface ConverseAnswer {
  status: number
  type: string | undefined
  body: unknown
}

const said = (text: string, stopReason: string, usage: { inputTokens: number; outputTokens: number }) => ({
  metrics: { latencyMs: 1 },
  output: { message: { role: 'assistant', content: [{ text }] } },
  stopReason,
  usage: { ...usage, totalTokens: usage.inputTokens + usage.outputTokens },
})

/** The response of a model that filtered the content. */
export const filteredAnswer = () =>
  said('I cannot write this.', 'content_filtered', { inputTokens: 1, outputTokens: 1 })

/** A message of any length, in the shape of Converse. */
export const anyAnswer = (text: string) => said(text, 'end_turn', { inputTokens: 1, outputTokens: 1 })

/** Converse of Bedrock: calls the stand-in model. */
export const answerConverse = (model: StandInModel, body: unknown): ConverseAnswer => {
  const parsed = z.safeParse(Request, body)
  if (!parsed.success) {
    return { status: 400, type: 'ValidationException', body: { message: z.prettifyError(parsed.error) } }
  }
  const { system, messages, inferenceConfig } = parsed.data
  const join = (parts: readonly { text: string }[]) => parts.map(({ text }) => text).join('')
  const prompt = { system: join(system), data: join(messages[0].content), maxTokens: inferenceConfig.maxTokens }
  const { text, ...usage } = model.answer(prompt)
  return { status: 200, type: undefined, body: said(text, 'end_turn', usage) }
}
