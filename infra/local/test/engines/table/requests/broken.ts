import fc from 'fast-check'
import type { Command, Operation } from './command.ts'

type Step = string | number

/** All paths in a request. */
const pathsIn = (value: unknown, way: readonly Step[] = []): (readonly Step[])[] => {
  if (typeof value !== 'object' || value === null) return [way]
  const below = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [way, ...below.flatMap(([step, member]) => pathsIn(member, [...way, step]))]
}

/** The request with another value at a path; without it if the value is undefined. */
const changed = (value: unknown, [step, ...rest]: readonly Step[], other: unknown): unknown => {
  if (step === undefined) return other
  if (Array.isArray(value)) {
    const next = value.map((member, at) => (at === step ? changed(member, rest, other) : member))
    return next.filter((member) => member !== undefined)
  }
  const all = Object.entries(value as object).map(([name, member]) => [
    name,
    name === step ? changed(member, rest, other) : member,
  ])
  return Object.fromEntries(all.filter(([, member]) => member !== undefined))
}

/** A value of another shape. DynamoDB Local takes a number or `true` for the text of it; AWS documents no such thing. */
const others = (old: unknown): fc.Arbitrary<unknown> =>
  fc.constantFrom<unknown>(
    ...[[], {}, [{}], { S: 'x' }, { N: '1' }, { S: 'x', N: '1' }, { X: 'x' }],
    ...(typeof old === 'string' ? ['xxx'] : []),
    ...(typeof old === 'number' ? [0, -1, 1_000_000] : []),
    ...(typeof old === 'object' ? ['', 'xxx', 7, true] : []),
  )
const tokens = fc.constantFrom(
  '(',
  ')',
  ',',
  '=',
  'AND',
  'NOT',
  'OR',
  'SET',
  '.',
  '[',
  ']',
  '1',
  'a',
  '#n0',
  ':v0',
  '#x',
  ':x',
  '$',
  '"',
)

const isExpression = (way: readonly Step[]) => String(way.at(-1)).endsWith('Expression')

/** An expression with a token too few, too many, or instead of another. */
const garbled = (text: string): fc.Arbitrary<string> => {
  const parts: string[] = [...(text.match(/[#:]?\w+|\s+|[^\w\s]/g) ?? [])]
  return fc
    .tuple(fc.nat(Math.max(0, parts.length - 1)), fc.constantFrom('drop', 'insert', 'replace', 'double'), tokens)
    .map(([at, what, token]) => {
      const part = parts[at] ?? ''
      const now = { drop: '', insert: `${part} ${token} `, replace: ` ${token} `, double: `${part} ${part}` }[what]
      return parts.with(at, now).join('')
    })
}

/** Longer than any limit of a list, and with its first member twice. */
const repeated = (list: readonly unknown[]) => [Array.from({ length: 101 }, () => list[0]), [...list, list[0]]]

const spare = fc.constantFrom(
  ['ExpressionAttributeNames', '#spare', 'a'] as const,
  ['ExpressionAttributeValues', ':spare', { S: 'a' }] as const,
)

/** Whether an operation takes placeholders for values in addition to its expressions. */
const hasExpressions = (operation: Operation) =>
  ['Put', 'Delete', 'Update', 'Query', 'Scan'].some((word) => operation.startsWith(word))

const valueAt = (input: unknown, way: readonly Step[]): unknown =>
  way.reduce<unknown>((at, step) => (at as Record<Step, unknown>)[step], input)

/** The same request with one thing wrong. */
export const broken = (command: Command): fc.Arbitrary<Command> => {
  const { operation, input } = command
  // DynamoDB Local accepts any value for what to return; AWS refuses unknown ones.
  const paths = pathsIn(input).filter((way) => way.length > 0 && !String(way.at(-1)).startsWith('Return'))
  const lists = paths.filter((way) => Array.isArray(valueAt(input, way)))
  const texts = paths.filter(isExpression)
  // In a transaction, DynamoDB Local does without the `UpdateExpression` that AWS requires.
  const spared = paths.filter((way) => operation !== 'TransactWriteItems' || way.at(-1) !== 'UpdateExpression')
  const at = (
    some: readonly (readonly Step[])[],
    to: (old: unknown) => fc.Arbitrary<unknown>,
  ): fc.Arbitrary<Command> => {
    if (some.length === 0) return fc.constant(command)
    return fc.constantFrom(...some).chain((way) =>
      to(valueAt(input, way)).map((other) => ({
        ...command,
        input: changed(input, way, other) as Command['input'],
        broken: true,
      })),
    )
  }
  const withSpare = ([parameter, mark, value]: readonly [string, string, unknown]): Command => ({
    ...command,
    input: { ...input, [parameter]: { ...(input[parameter] as object), [mark]: value } },
    broken: true,
  })
  return fc.oneof(
    { weight: 3, arbitrary: at(spared, () => fc.constant(undefined)) },
    { weight: 4, arbitrary: at(paths, others) },
    { weight: 6, arbitrary: at(texts, (text) => garbled(String(text))) },
    { weight: 1, arbitrary: at(lists, (list) => fc.constantFrom(...repeated(list as unknown[]))) },
    { weight: 1, arbitrary: hasExpressions(operation) ? spare.map(withSpare) : fc.constant(command) },
  )
}
