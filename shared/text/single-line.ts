import * as z from 'zod/mini'

// Control characters (C0, C1), the separators of lines and paragraphs, and what turns the direction of the text that
// follows (Unicode Standard Annex 9, embeddings, overrides and isolates). Letters of every script, joiners of emoji and
// the marks U+200E and U+200F pass.
const breaking = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const signOf = (text: string) => {
  const [sign = ''] = breaking.exec(text) ?? []
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** What the names of people and things are checked for: one line, that shows nothing but itself. */
export const singleLine = z.refine<string>((text) => !breaking.test(text), {
  error: ({ input }) => `must be one line without control or direction characters. Remove ${signOf(String(input))}`,
})

/** The same for a name that was stored before that check: what breaks a line or turns its direction becomes a space. */
export const asSingleLine = (text: string): string => text.replace(new RegExp(breaking, 'gu'), ' ')
