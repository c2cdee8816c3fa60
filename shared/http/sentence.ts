import type * as z from 'zod/mini'
import type { FieldIssue, FieldIssueCode } from '../errors/issue.ts'
import { asSentence } from '../text/as-sentence.ts'
import { knownKeys } from './known-keys.ts'
import { suggest } from './suggest.ts'

type Issue = z.core.$ZodIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items', object: 'keys', set: 'items' }

const bound = (
  issue: { origin: string; exact?: boolean; inclusive?: boolean },
  word: string,
  limit: number | bigint,
) => {
  const unit = units[issue.origin]
  const amount = unit === undefined ? `${limit}` : `${limit} ${Number(limit) === 1 ? unit.replace(/s$/, '') : unit}`
  return unit === undefined ? `must be ${word} ${amount}` : `must have ${word} ${amount}`
}

/** A schema's own message for its rule; the library's default messages start differently. */
const ownMessage = ({ message }: Issue): string | undefined => (/^(?:must|has|is) /.test(message) ? message : undefined)

/** The most characters of a value that an example repeats. */
const longestExample = 60

/** The items that a caller means who sends a text instead of a list: JSON text, names with commas, or one item. */
const itemsOf = (text: string): unknown[] => {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch {}
  const names = text.split(',').map((name) => name.trim())
  return names.every((name) => /^[\w-]+$/.test(name)) ? names : [text]
}

/** A value that was sent instead of a list: returns the list as it should be sent. */
const asList = ({ input }: Issue): string => {
  const items = typeof input === 'number' ? [input] : typeof input === 'string' && input !== '' ? itemsOf(input) : []
  const list = JSON.stringify(items)
  return items.length === 0 || list.length > longestExample ? '' : `, such as ${list}`
}

/** The rule of a value that must be one of a list, with the one that the caller most likely means. */
export const oneOf = (input: unknown, values: readonly string[]): string => {
  const list = `one of ${values.join(', ')}`
  if (input === undefined) return `is required. Send ${list}`
  const meant = typeof input === 'string' ? suggest(input, values) : undefined
  return `must be ${list}${meant === undefined ? '' : `. Did you mean "${meant}"?`}`
}

const rule = (issue: Issue): string => {
  const own = ownMessage(issue)
  if (own !== undefined) return issue.input === undefined ? own.replace(/^must be /, 'is required. Send ') : own
  switch (issue.code) {
    case 'invalid_type': {
      const kind = kinds[issue.expected] ?? issue.expected
      if (issue.input === undefined) return `is required. Send ${kind}`
      return `must be ${kind}${issue.expected === 'array' ? asList(issue) : ''}`
    }
    case 'too_small':
      return bound(issue, 'at least', issue.minimum)
    case 'too_big':
      return bound(issue, 'at most', issue.maximum)
    case 'invalid_value':
      return oneOf(issue.input, issue.values.map(String))
    case 'unrecognized_keys':
      return `is not a known field. Remove it`
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be an RFC 3339 date-time with a time zone, such as 2026-12-01T09:00:00Z'
        : `must be ${issue.format === 'regex' ? 'in the format that the reference describes' : `a valid ${issue.format}`}`
    case 'invalid_key': {
      const [first] = issue.issues
      return first
        ? `is not a valid key: it ${rule({ ...first, input: issue.path.at(-1) } as Issue)}`
        : 'is not a valid key'
    }
    case 'invalid_union':
      return 'has none of the allowed shapes'
    default:
      return issue.message || 'is invalid'
  }
}

const codes: Readonly<Record<string, FieldIssueCode>> = {
  invalid_type: 'invalid_type',
  too_small: 'too_small',
  too_big: 'too_large',
  invalid_value: 'not_allowed',
  unrecognized_keys: 'unknown_field',
  invalid_format: 'invalid_format',
}

const codeOf = (issue: Issue): FieldIssueCode => {
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  return isMissing ? 'required' : (codes[issue.code] ?? 'invalid')
}

/** The most unknown fields of one object that are compared with known ones. */
const maxCompared = 20

/** Unknown fields whose content belongs in another field, in another form. */
const notes: Readonly<Record<string, { known: string; next: string }>> = {
  timezone: { known: 'scheduledAt', next: 'Put the offset into "scheduledAt", such as 2026-12-01T09:00:00+01:00' },
}

const nextFor = (key: string, known: readonly string[], mayCompare: boolean): string => {
  const note = Object.hasOwn(notes, key.toLowerCase()) ? notes[key.toLowerCase()] : undefined
  if (note !== undefined && known.includes(note.known)) return note.next
  const meant = mayCompare ? suggest(key, known) : undefined
  return meant === undefined ? 'Remove it' : `Did you mean "${meant}"?`
}

/** One fault for each unknown key, with the key that the caller most likely means. */
const unknownKeys = (issue: Issue & { code: 'unrecognized_keys' }, schema: z.ZodMiniType, above: readonly string[]) => {
  const known = knownKeys(schema, issue.path)
  return issue.keys.map((key, n): FieldIssue => {
    const field = [...above, ...issue.path, key].map(String).join('.')
    const next = nextFor(key, known, n < maxCompared)
    return { field, code: 'unknown_field', message: asSentence(`"${field}" is not a known field. ${next}`) }
  })
}

/**
 * The fields and the rule of a validation issue, as text that names the fix: one for each unknown field, otherwise one.
 * `above` is the path of the value in the request.
 */
export const faultsOf = (
  issue: Issue,
  { schema, root, above = [] }: { schema: z.ZodMiniType; root: string; above?: readonly string[] },
): FieldIssue[] => {
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue, schema, above)
  const field = [...above, ...issue.path].map(String).join('.') || root
  const text = issue.code === 'custom' && issue.message ? issue.message : rule(issue)
  return [{ field, code: codeOf(issue), message: asSentence(`"${field}" ${text}`) }]
}

const maxNames = 50

/** Names as text: `"a"`, `"a" and "b"`, and with more than fifty how many more. */
const listed = (names: readonly string[]): string => {
  const [shown, more] = [names.slice(0, maxNames), names.length - maxNames]
  if (more > 0) return `${shown.join(', ')} and ${more} more`
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

const aboutMissing = (missing: readonly FieldIssue[]): string[] => {
  if (missing.length < 2) return missing.map(({ message }) => message)
  return [`${listed(missing.map(({ field }) => `"${field}"`))} are required.`]
}

const aboutUnknown = (unknown: readonly FieldIssue[]): string[] => {
  const meant = unknown.filter(({ message }) => !message.endsWith('Remove it.'))
  const strange = unknown.filter((issue) => !meant.includes(issue))
  const shown = meant.slice(0, maxNames).map(({ message }) => message)
  if (strange.length < 2) return [...shown, ...strange.map(({ message }) => message)]
  return [...shown, `${listed(strange.map(({ field }) => `"${field}"`))} are not known fields. Remove them.`]
}

/** The text of the response: all missing and all unknown fields by name, otherwise the first error. */
export const sentenceOf = (faults: readonly FieldIssue[]): string => {
  const of = (code: FieldIssueCode) => faults.filter((fault) => fault.code === code)
  const [first] = faults
  if (first === undefined) return 'The input is invalid.'
  if (first.code !== 'required' && first.code !== 'unknown_field') return first.message
  return [...aboutMissing(of('required')), ...aboutUnknown(of('unknown_field'))].join(' ')
}
