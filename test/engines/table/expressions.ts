import fc from 'fast-check'
import { attribute, number, seldom, value } from './values.ts'

/** An expression with its placeholders; parts are joined with their marks made distinct. */
export interface Expression {
  text: string
  names: Record<string, string>
  values: Record<string, unknown>
}

let marks = 0
export const named = (name: string): Expression => {
  marks += 1
  return { text: `#n${marks}`, names: { [`#n${marks}`]: name }, values: {} }
}
export const valued = (of: unknown): Expression => {
  marks += 1
  return { text: `:v${marks}`, names: {}, values: { [`:v${marks}`]: of } }
}
export const join = (write: (...texts: string[]) => string, ...parts: Expression[]): Expression => ({
  text: write(...parts.map(({ text }) => text)),
  names: Object.assign({}, ...parts.map(({ names }) => names)),
  values: Object.assign({}, ...parts.map(({ values }) => values)),
})

const path = fc.oneof(
  { weight: 5, arbitrary: attribute.map(named) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('k', 'l').map((step) => join((a, b) => `${a}.${b}`, named('m'), named(step))),
  },
  { weight: 1, arbitrary: fc.nat(2).map((at) => join((a) => `${a}[${at}]`, named('l'))) },
)
const operand = fc.oneof({ weight: 1, arbitrary: path }, { weight: 5, arbitrary: value.map(valued) })
/** Attributes that are mostly numbers, sets or lists, so that most updates of them work. */
const count = fc.constantFrom('c', 'd').map(named)
const tags = fc.constantFrom('s', 't').map(named)
const steps = fc.constantFrom('l', 'k').map(named)
export const simple = fc.oneof(
  path.map((at) => join((a) => `attribute_exists(${a})`, at)),
  path.map((at) => join((a) => `attribute_not_exists(${a})`, at)),
  fc
    .tuple(path, fc.constantFrom('=', '<>', '<', '<=', '>', '>='), operand)
    .map(([at, sign, other]) => join((a, b) => `${a} ${sign} ${b}`, at, other)),
  fc.tuple(path, value).map(([at, by]) => join((a, b) => `begins_with(${a}, ${b})`, at, valued(by))),
  fc.tuple(path, value).map(([at, by]) => join((a, b) => `contains(${a}, ${b})`, at, valued(by))),
  fc
    .tuple(path, value, value)
    .map(([at, low, high]) => join((a, b, c) => `${a} BETWEEN ${b} AND ${c}`, at, valued(low), valued(high))),
  fc
    .tuple(path, value, value)
    .map(([at, one, other]) => join((a, b, c) => `${a} IN (${b}, ${c})`, at, valued(one), valued(other))),
  fc
    .tuple(path, fc.constantFrom('S', 'N', 'L', 'M', 'SS'))
    .map(([at, type]) => join((a, b) => `attribute_type(${a}, ${b})`, at, valued({ S: type }))),
  fc.tuple(path, fc.nat(3)).map(([at, size]) => join((a, b) => `size(${a}) > ${b}`, at, valued({ N: String(size) }))),
)
export const condition = fc.oneof(
  { weight: 4, arbitrary: simple },
  { weight: 1, arbitrary: simple.map((one) => join((a) => `NOT ${a}`, one)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(simple, fc.constantFrom('AND', 'OR'), simple, fc.constantFrom('AND', 'OR'), simple)
      .map(([one, first, two, second, three]) =>
        join((a, b, c) => `${a} ${first} (${b} ${second} ${c})`, one, two, three),
      ),
  },
)
const initial = number.map((N) => valued({ N }))
const action = fc.oneof(
  fc.tuple(path, operand).map(([at, to]) => ['SET', join((a, b) => `${a} = ${b}`, at, to)] as const),
  fc
    .tuple(path, seldom(attribute.map(named), path), value)
    .map(
      ([at, of, other]) =>
        ['SET', join((a, b, c) => `${a} = if_not_exists(${b}, ${c})`, at, of, valued(other))] as const,
    ),
  fc
    .tuple(count, count, initial, initial, fc.constantFrom('+', '-'))
    .map(
      ([at, of, zero, by, sign]) =>
        ['SET', join((a, b, c, d) => `${a} = if_not_exists(${b}, ${c}) ${sign} ${d}`, at, of, zero, by)] as const,
    ),
  fc
    .tuple(steps, steps, value)
    .map(
      ([at, of, by]) =>
        [
          'SET',
          join(
            (a, b, c, d) => `${a} = list_append(if_not_exists(${b}, ${c}), ${d})`,
            at,
            of,
            valued({ L: [] }),
            valued({ L: [by] }),
          ),
        ] as const,
    ),
  fc.tuple(fc.constant('REMOVE' as const), path),
  fc.tuple(count, initial).map(([at, by]) => ['ADD', join((a, b) => `${a} ${b}`, at, by)] as const),
  fc
    .tuple(
      fc.constantFrom('ADD' as const, 'DELETE' as const),
      tags,
      fc.uniqueArray(fc.constantFrom('x', 'y'), { minLength: 1 }),
    )
    .map(([word, at, SS]) => [word, join((a, b) => `${a} ${b}`, at, valued({ SS }))] as const),
  fc
    .tuple(
      fc.constantFrom('ADD' as const, 'DELETE' as const),
      seldom(tags, path),
      seldom(fc.constant({ SS: ['z'] }), value),
    )
    .map(([word, at, by]) => [word, join((a, b) => `${a} ${b}`, at, valued(by))] as const),
)
export const update = fc.array(action, { minLength: 1, maxLength: 3 }).map((actions) => {
  const words = [...new Set(actions.map(([word]) => word))]
  const clauses = words.map((word) => {
    const parts = actions.filter(([one]) => one === word).map(([, part]) => part)
    return join((...texts) => `${word} ${texts.join(', ')}`, ...parts)
  })
  return join((...texts) => texts.join(' '), ...clauses)
})
export const keyCondition = (hash: string, range: string, of: fc.Arbitrary<unknown>) =>
  fc
    .tuple(
      fc.constantFrom('p', 'q', 'u', 'v'),
      fc.option(fc.tuple(fc.constantFrom('=', '<', '<=', '>', '>=', 'begins', 'between'), of, of)),
    )
    .map(([partition, sort]) => {
      const first = join((a, b) => `${a} = ${b}`, named(hash), valued({ S: partition }))
      if (sort === null) return first
      const [sign, low, high] = sort
      const at = named(range)
      const second =
        sign === 'begins'
          ? join((a, b) => `begins_with(${a}, ${b})`, at, valued(low))
          : sign === 'between'
            ? join((a, b, c) => `${a} BETWEEN ${b} AND ${c}`, at, valued(low), valued(high))
            : join((a, b) => `${a} ${sign} ${b}`, at, valued(low))
      return join((a, b) => `${a} AND ${b}`, first, second)
    })

export const placeholders = (...parts: (Expression | null)[]) => {
  const { names, values } = join(() => '', ...parts.filter((part) => part !== null))
  return {
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  }
}
export const conditional = (given: Expression | null) => (given === null ? {} : { ConditionExpression: given.text })
export const onFailure = fc
  .constantFrom('NONE', 'ALL_OLD')
  .map((word) => ({ ReturnValuesOnConditionCheckFailure: word }))
export const capacity = { ReturnConsumedCapacity: 'INDEXES' }
