import fc from 'fast-check'
import type { Value } from '../../../../engines/table/value.ts'
import { type Expression, e, listed, named, valued } from './expression.ts'
import type { Source, Subject } from './subject.ts'
import { anyValue, kinds, numberText, seldom } from './values.ts'

const number = numberText.map((N) => valued({ N }))
const signs = fc.constantFrom('=', '<>', '<', '<=', '>', '>=')
const equalities = fc.constantFrom('=', '<>')
const typeNames = fc.constantFrom('S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M').map((S): Value => ({ S }))

const isReserved = (name: string) => ['type', 'version'].includes(name)

/** A plain name, rarely a reserved word, or a placeholder. */
const spelled = (name: string): fc.Arbitrary<Expression> =>
  isReserved(name)
    ? seldom(fc.constant(named(name)), fc.constant([name]), 20)
    : fc.boolean().map((plain) => (plain ? [name] : named(name)))
const oneOf = (names: readonly string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names).map(named) }, fc.constantFrom(...names).chain(spelled))

const steps = fc.array(
  fc.oneof(
    fc.constantFrom('k', 'l').chain((name) => spelled(name).map((key) => e`.${key}`)),
    fc.nat(2).map((at) => e`[${String(at)}]`),
  ),
  { minLength: 1, maxLength: 2 },
)

/** Expressions about the attributes of a table. */
export const expressionsOn = ({ names }: Subject) => {
  const attribute = seldom(oneOf(names.any), oneOf(names.keys), 40)
  const part = fc
    .tuple(oneOf([...names.M, ...names.L]), steps)
    .map(([first, rest]): Expression => [...first, ...rest.flat()])
  const path = fc.oneof({ weight: 6, arbitrary: attribute }, { weight: 1, arbitrary: part })
  /** A member of a map: `attempt.reconciliation`. */
  const member = oneOf(names.M).map((at) => e`${at}.k`)
  const value = anyValue.map(valued)
  const ordered = {
    N: number,
    S: fc.constantFrom('', 'a', 'b', 'ü').map((S) => valued({ S })),
    B: fc.constantFrom('AQ==', 'Ag==').map((B) => valued({ B })),
  }
  const comparable = fc.oneof(ordered.N, ordered.S, ordered.B)
  const pairs = fc.oneof(
    ...Object.values(ordered).map((operand) => fc.tuple(operand, operand)),
    fc.tuple(path, seldom(comparable, value, 10)),
  )
  const size = path.map((at) => e`size(${at})`)
  const operand = fc.oneof(
    { weight: 6, arbitrary: path },
    { weight: 5, arbitrary: value },
    { weight: 1, arbitrary: size },
  )
  const other = seldom(comparable, operand, 10)
  const simple: fc.Arbitrary<Expression> = fc.oneof(
    path.map((at) => e`attribute_exists(${at})`),
    path.map((at) => e`attribute_not_exists(${at})`),
    fc.tuple(operand, equalities, operand).map(([left, sign, right]) => e`${left} ${sign} ${right}`),
    fc.tuple(attribute, equalities, value).map(([at, sign, by]) => e`${at} ${sign} ${by}`),
    fc.tuple(attribute, signs, other).map(([at, sign, by]) => e`${at} ${sign} ${by}`),
    fc.tuple(member, signs, number).map(([at, sign, by]) => e`${at} ${sign} ${by}`),
    fc.tuple(other, signs, path).map(([by, sign, at]) => e`${by} ${sign} ${at}`),
    fc.tuple(size, signs, fc.nat(3)).map(([of, sign, n]) => e`${of} ${sign} ${valued({ N: String(n) })}`),
    fc.tuple(path, seldom(fc.oneof(ordered.S, ordered.B), operand, 10)).map(([at, by]) => e`begins_with(${at}, ${by})`),
    fc.tuple(path, operand).map(([at, by]) => e`contains(${at}, ${by})`),
    fc.tuple(operand, path).map(([at, by]) => e`contains(${at}, ${by})`),
    fc
      .tuple(seldom(path, operand, 10), pairs, fc.constantFrom('BETWEEN', 'between'))
      .map(([at, [low, high], keyword]) => e`${at} ${keyword} ${low} AND ${high}`),
    fc
      .tuple(operand, fc.array(operand, { minLength: 1, maxLength: 3 }))
      .map(([at, all]) => e`${at} IN (${listed(all, ', ')})`),
    fc.tuple(path, seldom(typeNames, anyValue, 30)).map(([at, type]) => e`attribute_type(${at}, ${valued(type)})`),
  )
  const condition: fc.Arbitrary<Expression> = fc.oneof(
    { weight: 6, arbitrary: simple },
    { weight: 1, arbitrary: simple.map((condition) => e`NOT ${condition}`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(simple, fc.constantFrom('AND', 'OR', 'and'), simple, fc.constantFrom('AND', 'OR', 'or'), simple)
        .chain(([zero, first, two, second, three]) =>
          fc.constantFrom(
            e`${zero} ${first} (${two} ${second} ${three})`,
            e`(${zero}) ${first} ${two} ${second} ${three}`,
            e`NOT (${zero} ${first} ${two}) ${second} NOT ${three}`,
          ),
        ),
    },
  )

  const list = kinds.L.map(valued)
  const [N, SS, L] = [oneOf(names.N), oneOf(names.SS), oneOf(names.L)]
  const term: fc.Arbitrary<Expression> = fc.oneof(
    { weight: 12, arbitrary: value },
    { weight: 2, arbitrary: path },
    {
      weight: 3,
      arbitrary: fc.tuple(path, seldom(value, path, 4)).map(([at, other]) => e`if_not_exists(${at}, ${other})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(L, list), seldom(fc.oneof(L, list), value, 8))
        .map(([left, right]) => e`list_append(${left}, ${right})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(N, number), fc.constantFrom('+', '-'), seldom(fc.oneof(N, number), value, 8))
        .map(([left, sign, right]) => e`${left} ${sign} ${right}`),
    },
  )
  const set = fc.oneof(
    fc.tuple(path, term).map(([at, to]) => e`${at} = ${to}`),
    fc.tuple(attribute, value).map(([at, to]) => e`${at} = ${to}`),
    fc.tuple(attribute, value).map(([at, to]) => e`${at} = if_not_exists(${at}, ${to})`),
    fc.tuple(member, kinds.M).map(([at, to]) => e`${at} = ${valued(to)}`),
    fc.tuple(member, kinds.M).map(([at, to]) => e`${at} = if_not_exists(${at}, ${valued(to)})`),
    fc
      .tuple(N, N, fc.constantFrom('+', '-'), number)
      .map(([at, of, sign, by]) => e`${at} = if_not_exists(${of}, ${valued({ N: '0' })}) ${sign} ${by}`),
    fc
      .tuple(L, kinds.L)
      .map(([at, by]) => e`${at} = list_append(if_not_exists(${at}, ${valued({ L: [] })}), ${valued(by)})`),
  )
  const add = fc.oneof(
    fc.tuple(N, number).map(([at, by]) => e`${at} ${by}`),
    fc.tuple(SS, kinds.SS).map(([at, by]) => e`${at} ${valued(by)}`),
    fc
      .tuple(seldom(oneOf(names.any), path, 3), seldom(fc.oneof(number, kinds.NS.map(valued)), value, 6))
      .map(([at, by]) => e`${at} ${by}`),
  )
  const subtract = fc.oneof(
    fc.tuple(SS, kinds.SS).map(([at, by]) => e`${at} ${valued(by)}`),
    fc
      .tuple(path, seldom(fc.oneof(kinds.SS.map(valued), kinds.NS.map(valued)), value, 6))
      .map(([at, by]) => e`${at} ${by}`),
  )
  const clause = (keyword: string, of: fc.Arbitrary<Expression>) =>
    fc.oneof({ weight: 3, arbitrary: fc.tuple(of) }, fc.tuple(of, of)).map((all) => e`${keyword} ${listed(all, ', ')}`)
  const clauses = {
    SET: clause('SET', set),
    REMOVE: clause('REMOVE', path),
    ADD: clause('ADD', add),
    DELETE: clause('DELETE', subtract),
  }
  const clauseKinds = fc.constantFrom('SET', 'SET', 'SET', 'ADD', 'REMOVE', 'DELETE') as fc.Arbitrary<
    keyof typeof clauses
  >
  const sections = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(clauseKinds) },
    { weight: 1, arbitrary: fc.uniqueArray(clauseKinds, { minLength: 2, maxLength: 3 }) },
  )
  const update = seldom(sections, fc.constant(['SET', 'SET'] as const))
    .chain((chosen) => fc.tuple(...chosen.map((keyword) => clauses[keyword])))
    .map((all) => listed(all, ' '))
  const listedPaths = (of: fc.Arbitrary<Expression>) =>
    fc.uniqueArray(of, { minLength: 1, maxLength: 3, selector: (element) => JSON.stringify(element) })
  const projection = listedPaths(path).map((paths) => listed(paths, ', '))
  const projectionOf = (some: readonly string[]) => listedPaths(oneOf(some)).map((paths) => listed(paths, ', '))
  const presence = (some: readonly string[]) => oneOf(some).map((at) => e`attribute_exists(${at})`)
  return { simple, condition, presence, update, projection, projectionOf }
}

interface KeyCondition {
  expression: Expression
  /** Sort keys that are bounds of it and in it, as JSON. */
  bounds: readonly string[]
}

/** The key condition of a query. */
export const keyConditionOn = ({ hash, range, partitions, sorts }: Source): fc.Arbitrary<KeyCondition> =>
  fc
    .tuple(
      partitions,
      fc.option(fc.tuple(fc.constantFrom('=', '<', '<=', '>', '>=', 'begins', 'between'), sorts, sorts)),
      seldom(sorts, anyValue, 40),
      fc.boolean(),
    )
    .map(([partition, sort, other, swapped]) => {
      const first = e`${named(hash)} = ${valued(partition)}`
      if (sort === null) return { expression: first, bounds: [] }
      const [sign, low, high] = sort
      const at = named(range)
      const second =
        sign === 'begins'
          ? e`begins_with(${at}, ${valued(low)})`
          : sign === 'between'
            ? e`${at} BETWEEN ${valued(low)} AND ${valued(high)}`
            : e`${at} ${sign} ${valued(other)}`
      return {
        expression: swapped ? e`${second} AND ${first}` : e`(${first} AND ${second})`,
        bounds: (sign === 'between' ? [low, high] : [other]).map((value) => JSON.stringify(value)),
      }
    })
