import type * as z from 'zod/mini'

type Issue = z.core.$ZodIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'text (a JSON string)',
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

const rule = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is required: send ${kinds[issue.expected] ?? issue.expected}`
        : `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'too_small':
      return bound(issue, 'at least', issue.minimum)
    case 'too_big':
      return bound(issue, 'at most', issue.maximum)
    case 'invalid_value':
      return `${issue.input === undefined ? 'is required: send' : 'must be'} one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `is not a known field: remove it`
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be an RFC 3339 date-time with a zone, for example 2026-12-01T09:00:00Z'
        : `must be a valid ${issue.format === 'regex' ? 'value' : issue.format}${issue.pattern ? ` (${issue.pattern})` : ''}`
    case 'invalid_union':
      return 'has none of the allowed forms'
    default:
      return issue.message || 'is not valid'
  }
}

/** The place and the rule of a validation issue, in words that name the fix. */
export const sentenceOf = (issue: Issue, root: string): { field: string; message: string } => {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...issue.path, ...keys].map(String).join('.')
  const field = path === '' ? root : path
  return { field, message: `"${field}" ${issue.code === 'custom' && issue.message ? issue.message : rule(issue)}.` }
}
