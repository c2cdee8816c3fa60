import type * as z from 'zod/mini'
import { Fault } from '../aws-server.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

const at = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], input)

const camelCase = (name: string) => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`

const pathOf = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? `${step + 1}.member` : camelCase(String(step)))).join('.')

/** A value in an error. AWS prints lists in a form that differs by server; here they are their length. */
const shown = (value: unknown): string => {
  if (value === undefined || value === null) return 'null'
  if (!Array.isArray(value)) return `'${String(value)}'`
  return value.length === 0 ? "'[]'" : `'[${value.length} members]'`
}

const sized = (origin: string) => (origin === 'string' || origin === 'array' ? 'length' : 'value')

/** The constraint that a value does not satisfy; undefined where its JSON type is wrong. */
const constraintOf = (issue: Issue, value: unknown): string | undefined => {
  switch (issue.code) {
    case 'too_small':
      return `Member must have ${sized(issue.origin)} greater than or equal to ${issue.minimum}`
    case 'too_big':
      return `Member must have ${sized(issue.origin)} less than or equal to ${issue.maximum}`
    case 'invalid_format':
      return `Member must satisfy regular expression pattern: ${String(issue.pattern).replace(/^\/\^|\$\/$/g, '')}`
    case 'invalid_value':
      return value === undefined
        ? 'Member must not be null'
        : `Member must satisfy enum value set: [${issue.values.join(', ')}]`
    default:
      return value === undefined ? 'Member must not be null' : undefined
  }
}

/** The first issue of each value, and those of a table's name alone if it has some. */
const firstOfEach = (issues: readonly Issue[]): Issue[] => {
  const first = issues.filter(
    ({ path }, index) => issues.findIndex((other) => pathOf(other.path) === pathOf(path)) === index,
  )
  const ofName = first.filter(({ path }) => path.length === 1 && path[0] === 'TableName')
  return ofName.length > 0 ? ofName : first
}

/**
 * The error for input that does not have the shape of an operation: SerializationException for a value of a wrong JSON type,
 * else ValidationException with all constraints that the input does not satisfy, in the format of AWS. undefined if the only
 * fault is that it names unknown parameters.
 */
export const shapeFault = (issues: readonly Issue[], input: unknown): Fault | undefined => {
  const known = issues.filter(({ code }) => code !== 'unrecognized_keys')
  if (known.length === 0) return undefined
  const constraints = firstOfEach(known).map((issue) => {
    const value = at(input, issue.path)
    const constraint = constraintOf(issue, value)
    return constraint && `Value ${shown(value)} at '${pathOf(issue.path)}' failed to satisfy constraint: ${constraint}`
  })
  if (constraints.includes(undefined)) return new Fault('SerializationException', 'Unexpected value type in payload')
  const count = `${constraints.length} validation error${constraints.length === 1 ? '' : 's'}`
  return new Fault('ValidationException', `${count} detected: ${constraints.join('; ')}`)
}
