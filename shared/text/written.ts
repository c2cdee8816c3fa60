import * as z from 'zod/mini'
import { wellFormed } from './well-formed.ts'

/** Decided: line breaks are `\n` (the Unicode Standard, 5.8): platforms count `\r\n` as one or two characters. */
const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n')

// Control characters (C0, C1) except the tab and the line feed.
const control = /[^\P{Cc}\t\n]/u

const notAllowed = (text: string) => {
  const [sign = ''] = control.exec(text) ?? []
  return `must not contain control characters. Remove U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** A text that people read: its line breaks are `\n`, and it has no other control characters than tabs. */
export const writtenText = (maxLength: number) =>
  z.string().check(
    z.overwrite(withLineFeeds),
    z.maxLength(maxLength),
    wellFormed,
    z.refine((text) => !control.test(text), { error: ({ input }) => notAllowed(String(input)) }),
  )

type Path = readonly (string | number)[]

/** Every text in a JSON value, with its path. */
const textsIn = (value: unknown, path: Path = []): [Path, string][] => {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  const at = (key: string) => (Array.isArray(value) ? Number(key) : key)
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, at(key)]))
}

/** A JSON value with `\n` in its texts. */
const asWritten = (value: unknown): unknown => {
  if (typeof value === 'string') return withLineFeeds(value)
  if (Array.isArray(value)) return value.map(asWritten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asWritten(inner)]))
}

/** The checks of a JSON object whose texts a platform publishes: the same rules. */
export const writtenTexts = [
  z.overwrite<Record<string, unknown>>((value) => asWritten(value) as Record<string, unknown>),
  z.superRefine<Record<string, unknown>>((value, issues) => {
    for (const [path, text] of textsIn(value)) {
      if (control.test(text))
        issues.addIssue({ code: 'custom', path: [...path], message: notAllowed(text), input: text })
    }
  }),
] as const

/** Decided: invisible characters are not text: white space, format characters, and the Braille blank. */
export const isBlank = (text: string): boolean => !/[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
