import type { Context } from '../../context.ts'
import type { Deadline } from '../deadline.ts'
import { ProviderFailure } from '../failure.ts'
import { complete } from '../models/complete.ts'
import type { Prompt, Usage } from '../models/model.ts'
import type { TextSettings } from '../settings.ts'
import { fitText } from './fit.ts'
import { shorteningPrompt } from './prompts.ts'
import { fitsOn, type Target, withoutForbidden } from './rules.ts'

/** More than any requested text; a longer response is cut before it is processed. */
const maxCharacters = 100_000

/** Control characters except tab and line feed, and characters that change the direction of the following text. */
const hidden = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const fence = /^```[\w-]*\n([\s\S]*?)\n?```$/
const quotes = /^(?:"([^"]*)"|“([^“”]*)”|«([^«»]*)»|„([^„“]*)“)$/

/** The text that a model intended: without hidden characters, and without a code fence or quotation marks around it. */
export const cleanAnswer = (answer: string): string => {
  const plain = answer.slice(0, maxCharacters).toWellFormed().replace(/\r\n?/g, '\n').replace(hidden, '').trim()
  const unfenced = fence.exec(plain)?.[1] ?? plain
  const [, ...inside] = quotes.exec(unfenced.trim()) ?? []
  return (inside.find((part) => part !== undefined) ?? unfenced).trim()
}

/** A model to ask, and the time there is for it. */
export interface Writer {
  ctx: Context
  settings: TextSettings
  deadline: Deadline
}

interface Written {
  text: string
  usage: Usage
}

const sum = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})

const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

export const sumOf = (usages: readonly Usage[]): Usage => usages.reduce(sum, noUsage)

const askFor = async ({ ctx, settings, deadline }: Writer, prompt: Prompt): Promise<Written> => {
  const { text, ...usage } = await complete(ctx, settings, prompt, deadline)
  return { text: cleanAnswer(text), usage }
}

/** A text by the model. It decides nothing but the text. */
const write = async (writer: Writer, prompt: Prompt): Promise<Written> => {
  const written = await askFor(writer, prompt)
  if (written.text === '') throw new ProviderFailure('malformed', 'an empty text')
  return written
}

/** A shorter text by the model; undefined if it returns none. */
const shorten = async (writer: Writer, text: string, target: Target): Promise<Written | undefined> => {
  try {
    return await askFor(writer, shorteningPrompt(text, target))
  } catch (error) {
    // The existing text can be cut.
    if (error instanceof ProviderFailure) return undefined
    throw error
  }
}

/**
 * A text within all limits of its target: the model is called once more for a shorter one, and a text that is still too long
 * is cut.
 */
export const writeWithin = async (writer: Writer, prompt: Prompt, target: Target): Promise<Written> => {
  const fits = fitsOn(target)
  const first = await write(writer, prompt)
  const text = withoutForbidden(target, first.text)
  if (fits(text)) return { text, usage: first.usage }
  const second = await shorten(writer, text, target)
  const shorter = withoutForbidden(target, second?.text ?? '')
  const best = shorter !== '' && (fits(shorter) || shorter.length < text.length) ? shorter : text
  return { text: fitText(best, fits), usage: second ? sum(first.usage, second.usage) : first.usage }
}

/** The longest text that is not for a platform. */
const maxFreeCharacters = 20_000

/** A text for no platform in particular. */
export const writeFreely = async (writer: Writer, prompt: Prompt): Promise<Written> => {
  const { text, usage } = await write(writer, prompt)
  return { text: fitText(text, ({ length }) => length <= maxFreeCharacters), usage }
}
