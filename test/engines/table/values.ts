import fc from 'fast-check'

// Few keys and few values, so that operations meet.
export const PK = fc.constantFrom('p', 'q')
/** Mostly good values, and now and then one that is refused. */
export const seldom = <A, B>(good: fc.Arbitrary<A>, bad: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: 60, arbitrary: good }, { weight: 1, arbitrary: bad })
export const SK = seldom(fc.constantFrom('a', 'a#1', 'b', 'ü', '漢', '😀'), fc.constant(''))
export const number = seldom(
  fc.constantFrom('0', '-1', '1', '2', '10', '-0.5', '1.50', '1e2', '3.14159265358979323846'),
  fc.constantFrom('x', '1e200'),
)
export const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'ü').map((S) => ({ S })),
  number.map((N) => ({ N })),
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true }),
  fc.constantFrom('AQ==', '').map((text) => ({ B: Buffer.from(text, 'base64') })),
)
export const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  {
    weight: 1,
    arbitrary: seldom(
      fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 3 }),
      fc.constant([]),
    ).map((SS) => ({ SS })),
  },
  {
    weight: 1,
    arbitrary: seldom(
      fc.uniqueArray(fc.constantFrom('1', '2', '3.0'), { minLength: 1, maxLength: 3 }),
      fc.constant([]),
    ).map((NS) => ({ NS })),
  },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }).map((L) => ({ L })) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('k', 'l'), scalar, { maxKeys: 2 }).map((M) => ({ M })) },
)
export const attribute = seldom(fc.constantFrom('a', 'b', 'm', 'l'), fc.constantFrom('g', 'n'))
export const key = fc.record({ PK: PK.map((S) => ({ S })), SK: SK.map((S) => ({ S })) })
export const item = fc
  .tuple(
    key,
    fc.record(
      { g: fc.constantFrom('u', 'v').map((S) => ({ S })), n: number.map((N) => ({ N })) },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.constantFrom('a', 'b', 'm', 'l'), value, { maxKeys: 3 }),
    fc.record(
      {
        c: number.map((N) => ({ N })),
        s: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }).map((SS) => ({ SS })),
        m: fc.dictionary(fc.constantFrom('k', 'l'), scalar, { maxKeys: 2 }).map((M) => ({ M })),
        k: fc.array(scalar, { maxLength: 2 }).map((L) => ({ L })),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([keys, indexed, rest, typed]) => ({ ...rest, ...typed, ...indexed, ...keys }))
