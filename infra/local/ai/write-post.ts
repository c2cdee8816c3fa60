import * as z from 'zod/mini'

const Data = z.looseObject({
  request: z.optional(z.string()),
  text: z.optional(z.string()),
  platform: z.optional(z.string()),
  variant: z.optional(z.number()),
  tone: z.optional(z.string()),
  language: z.optional(z.string()),
  memories: z.optional(z.array(z.string())),
})

/** The request to a model. */
export interface ModelPrompt {
  system: string
  data: string
  maxTokens: number
}

const openings: Readonly<Record<string, string>> = {
  linkedin: 'A note from our work:',
  instagram: 'Fresh from today:',
  discord: 'Hi everyone!',
  slack: 'Quick update:',
}

const firstSentence = (text: string): string => /^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim()

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

const atMost = (text: string, count: number): string => text.split(/\s+/).slice(0, count).join(' ')

/** The same text for the same prompt: a small post that shows which parts of the prompt arrived. */
export const writePost = ({ system, data }: ModelPrompt): string => {
  const { request, text, platform = '', variant = 1, tone, language, memories = [] } = z.parse(Data, JSON.parse(data))
  if (request !== undefined) {
    const fact = memories[0] === undefined ? [] : [sentence(atMost(firstSentence(memories[0]), 20))]
    const body = [openings[platform] ?? '', sentence(atMost(request, 30)), ...fact].filter(Boolean)
    return [...(variant > 1 ? ['Did you know?'] : []), ...body].join(' ')
  }
  const given = text ?? ''
  if (/above the limits|clearly shorter/.test(system)) return atMost(given, Math.ceil(given.split(/\s+/).length / 2))
  if (/it is longer/.test(system)) return `${sentence(given)} There is more to say about it, and we are glad to.`
  if (/in the tone/.test(system)) return `${given} (${tone})`
  if (/Translate/.test(system)) return `[${language}] ${given}`
  return given
}
