import type * as z from 'zod/mini'
import type { FieldIssue, FieldIssueCode } from '../errors/issue.ts'

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
const ownWords = ({ message }: Issue): string | undefined => (/^(?:must|has|is) /.test(message) ? message : undefined)

const rule = (issue: Issue): string => {
  if (issue.code !== 'invalid_type' && ownWords(issue)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is required. Send ${kinds[issue.expected] ?? issue.expected}`
        : `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'too_small':
      return bound(issue, 'at least', issue.minimum)
    case 'too_big':
      return bound(issue, 'at most', issue.maximum)
    case 'invalid_value':
      return `${issue.input === undefined ? 'is required. Send' : 'must be'} one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `is not a known field. Remove it`
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be an RFC 3339 date-time with a time zone, such as 2026-12-01T09:00:00Z'
        : `must be ${issue.format === 'regex' ? 'in the format that the reference describes' : `a valid ${issue.format}`}`
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

/** The fields and the rule of a validation issue, in words that name the fix: one for each unknown field, else one. */
export const faultsOf = (issue: Issue, root: string): FieldIssue[] => {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [key]) : [[]]
  return keys.map((key) => {
    const field = [...issue.path, ...key].map(String).join('.') || root
    const text = issue.code === 'custom' && issue.message ? issue.message : rule(issue)
    return { field, code: codeOf(issue), message: `"${field}" ${text}.` }
  })
}

const maxNames = 50

/** The sentence of the response: that of the first error, or all unknown fields by name. */
export const sentenceOf = (faults: readonly FieldIssue[]): string => {
  const unknown = faults.filter(({ code }) => code === 'unknown_field').map(({ field }) => `"${field}"`)
  const [first] = faults
  if (first?.code !== 'unknown_field' || unknown.length < 2) return first?.message ?? 'The input is invalid.'
  const [shown, more] = [unknown.slice(0, maxNames), unknown.length - maxNames]
  const names =
    more > 0 ? `${shown.join(', ')} and ${more} more` : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
  return `${names} are not known fields. Remove them.`
}
