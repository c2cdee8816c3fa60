/** More than any text that is asked for; a longer answer is cut before it is looked at. */
const maxCharacters = 100_000

/** Control characters except tab and line feed, and characters that change the direction of the following text. */
const hidden = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const fence = /^```[\w-]*\n([\s\S]*?)\n?```$/
const quotes = /^(?:"([^"]*)"|“([^“”]*)”|«([^«»]*)»|„([^„“]*)“)$/

/** The text that a model means: without hidden characters, and without a code fence or quotation marks around it. */
export const cleanAnswer = (answer: string): string => {
  const plain = answer.slice(0, maxCharacters).toWellFormed().replace(/\r\n?/g, '\n').replace(hidden, '').trim()
  const unfenced = fence.exec(plain)?.[1] ?? plain
  const [, ...inside] = quotes.exec(unfenced.trim()) ?? []
  return (inside.find((part) => part !== undefined) ?? unfenced).trim()
}
