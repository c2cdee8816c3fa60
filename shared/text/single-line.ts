import * as z from 'zod/mini'

// Control characters (C0, C1), line and paragraph separators, and characters that change the direction of the following
// text (Unicode Standard Annex 9, embeddings, overrides, and isolates). Letters of every script, joiners of emoji, and
// the marks U+200E and U+200F pass.
const breaking = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const signOf = (text: string) => {
  const [sign = ''] = breaking.exec(text) ?? []
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The check for the names of people and things: one line, without hidden characters. */
export const singleLine = z.refine<string>((text) => !breaking.test(text), {
  error: ({ input }) => `must be one line without control or direction characters. Remove ${signOf(String(input))}`,
})

/** Makes a name safe that was stored before this check existed: replaces line breaks and direction characters with spaces. */
export const asSingleLine = (text: string): string => text.replace(new RegExp(breaking, 'gu'), ' ')
