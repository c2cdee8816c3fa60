import { type ModelPrompt, writePost } from './write-post.ts'

/** The response of a stand-in model, for any provider. */
export interface StandInModel {
  /** The prompts that it received, in order. */
  prompts(): readonly ModelPrompt[]
  /** Responses instead of the usual text, such as those of a hostile model. */
  answerWith(answer: ((prompt: ModelPrompt) => string) | undefined): void
  answer(prompt: ModelPrompt): { text: string; inputTokens: number; outputTokens: number }
}

const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

const maxPrompts = 1_000

export const openModel = (): StandInModel => {
  let write = writePost
  let received: ModelPrompt[] = []
  return {
    prompts: () => received,
    answerWith(answer) {
      write = answer ?? writePost
    },
    answer(prompt) {
      received = [...received.slice(-maxPrompts), prompt]
      const text = write(prompt)
      return { text, inputTokens: tokensOf(prompt.system + prompt.data), outputTokens: tokensOf(text) }
    },
  }
}
