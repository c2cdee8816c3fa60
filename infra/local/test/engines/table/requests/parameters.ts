import fc from 'fast-check'
import { seldom } from './values.ts'

/** Parameters that several operations share. */
export const capacity = fc.constantFrom(undefined, 'NONE', 'TOTAL', 'INDEXES', 'INDEXES', 'INDEXES')
export const flag = fc.constantFrom(undefined, true, false)
export const onFailure = fc.constantFrom(undefined, 'NONE', 'ALL_OLD', 'ALL_OLD')
export const oldValues = seldom(
  fc.constantFrom(undefined, 'NONE', 'ALL_OLD'),
  fc.constantFrom('ALL_NEW', 'UPDATED_OLD'),
  60,
)
export const anyValues = fc.constantFrom(undefined, 'NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW')

/** One time in so many a value, otherwise none. */
export const perhaps = <T>(of: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 1, arbitrary: of }, { weight: times - 1, arbitrary: fc.constant(undefined) })

/** Without the parameters that are not given. */
export const given = (input: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
