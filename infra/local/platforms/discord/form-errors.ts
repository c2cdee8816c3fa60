import type * as z from 'zod/mini'
import { type ErrorTree, refuse } from './refuse.ts'

interface FormError {
  code: string
  message: string
}

const badTypes: Record<string, FormError> = {
  string: { code: 'STRING_TYPE_CONVERT', message: 'Could not interpret value as string.' },
  boolean: { code: 'BOOLEAN_TYPE_CONVERT', message: 'Must be either true or false.' },
  array: { code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' },
  object: { code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' },
}

/** Rejects a body whose fields are wrong, each error at its position in the tree. */
export function refuseForm(errors: readonly { path: readonly PropertyKey[]; error: FormError }[]): never {
  const tree: ErrorTree = {}
  for (const { path, error } of errors) {
    let node = tree
    for (const key of path) {
      const inner = node[String(key)]
      const next: ErrorTree = inner === undefined || Array.isArray(inner) ? {} : { ...inner }
      node[String(key)] = next
      node = next
    }
    node['_errors'] = [error]
  }
  return refuse(400, 50035, 'Invalid Form Body', tree)
}

/** The same for schema errors. */
export function refuseIssues(issues: readonly z.core.$ZodIssue[]): never {
  return refuseForm(issues.map((issue) => ({ path: issue.path, error: toFormError(issue) })))
}

export function tooLong(maximum: number | bigint): FormError {
  return { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${maximum} or fewer in length.` }
}

export function badValue(message: string): FormError {
  return { code: 'BASE_TYPE_BAD_VALUE', message: `This value ${message}.` }
}

function toFormError(issue: z.core.$ZodIssue): FormError {
  if (issue.code === 'too_big') return tooLong(issue.maximum)
  const expected = issue.code === 'invalid_type' ? badTypes[issue.expected] : undefined
  return expected ?? { code: 'BASE_TYPE_BAD_VALUE', message: 'This value is not allowed.' }
}
