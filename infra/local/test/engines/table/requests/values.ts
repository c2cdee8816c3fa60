import fc from 'fast-check'
import type { Value } from '../../../../engines/table/value.ts'

/** Mostly good values, and now and then one that is refused. */
export const seldom = <A, B>(good: fc.Arbitrary<A>, bad: fc.Arbitrary<B>, weight = 150): fc.Arbitrary<A | B> =>
  fc.oneof({ weight, arbitrary: good }, { weight: 1, arbitrary: bad })

const digits38 = '12345678901234567890123456789012345678'
/** Developer guide, "Naming rules and data types": 38 digits, and magnitudes from 1E-130 to 9.99…E+125. */
const limits = [
  digits38,
  `-0.${digits38}`,
  `${'9'.repeat(38)}e88`,
  `-${'9'.repeat(38)}e88`,
  '1e-130',
  '-1e-130',
  '1e125',
]
const spellings = ['-0', '0e5', '007', '+5', '.5', '5.', '1.50', '1E+2', '20e-1', '100', '0.000']
const refused = ['x', '', '1e126', '1e-131', `${digits38}9`, 'NaN', 'Infinity', '0x10', '1_000', '1e', '--1', '1,5']

export const numberText = seldom(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('0', '-1', '1', '2', '3', '10', '-0.5', '3.14159265358979323846') },
    { weight: 1, arbitrary: fc.constantFrom(...spellings) },
    { weight: 1, arbitrary: fc.constantFrom(...limits) },
  ),
  fc.constantFrom(...refused),
)
const smallNumber = fc.constantFrom('0', '1', '2', '-1', '0.5')
const texts = fc.constantFrom('', 'a', 'ab', 'b', 'ü', 'é', '漢', '😀', 'a\nb')
const binary = fc.constantFrom('', 'AQ==', 'AQI=', 'Ag==', '/w==')

const N = numberText.map((text): Value => ({ N: text }))
const scalar: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: texts.map((S) => ({ S })) },
  { weight: 4, arbitrary: N },
  { weight: 1, arbitrary: fc.boolean().map((BOOL) => ({ BOOL })) },
  { weight: 1, arbitrary: fc.constant({ NULL: true }) },
  { weight: 1, arbitrary: binary.map((B) => ({ B })) },
)

const members = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  seldom(
    fc.uniqueArray(of, { minLength: 1, maxLength: 3 }),
    fc.oneof(
      fc.constant<T[]>([]),
      of.map((value) => [value, value]),
    ),
  )
export const stringSet = members(fc.constantFrom('x', 'y', 'z', 'ü')).map((SS): Value => ({ SS }))
export const numberSet = members(fc.constantFrom('1', '2', '3.0', '-1', '1e2')).map((NS): Value => ({ NS }))
const binarySet = members(fc.constantFrom('AQ==', 'Ag==', '/w==')).map((BS): Value => ({ BS }))

const memberNames = fc.constantFrom('k', 'l')
const { nested } = fc.letrec<{ nested: Value }>((tie) => ({
  nested: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    { weight: 6, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie('nested'), { maxLength: 3 }).map((L) => ({ L })) },
    { weight: 1, arbitrary: fc.dictionary(memberNames, tie('nested'), { maxKeys: 2 }).map((M) => ({ M })) },
  ),
}))
export const list = fc.array(nested, { maxLength: 3 }).map((L): Value => ({ L }))
export const map = fc
  .record({ k: fc.oneof(scalar, list), l: nested }, { requiredKeys: [] })
  .map((M) => ({ M: { ...M } }) as Value)

/** A text that shows in units and in the limits of pages; DynamoDB's limit of an item is 400 KB. */
const long = fc
  .oneof(
    { weight: 8, arbitrary: fc.constantFrom(900, 1_100, 4_200, 9_000) },
    { weight: 1, arbitrary: fc.constantFrom(150_000, 300_000, 409_500) },
  )
  .map((length): Value => ({ S: 'x'.repeat(length) }))

export const anyValue: fc.Arbitrary<Value> = fc.oneof(
  { weight: 60, arbitrary: scalar },
  { weight: 8, arbitrary: stringSet },
  { weight: 8, arbitrary: numberSet },
  { weight: 4, arbitrary: binarySet },
  { weight: 12, arbitrary: list },
  { weight: 12, arbitrary: map },
  { weight: 1, arbitrary: long },
)

/** What an attribute of a kind mostly holds, so that most updates of it work. */
export const kinds = {
  N: smallNumber.map((text): Value => ({ N: text })),
  SS: stringSet,
  NS: numberSet,
  L: list,
  M: map,
}
