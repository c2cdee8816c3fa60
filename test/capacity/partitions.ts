import type { Spent } from '../../infra/local/engines/table/throttling.ts'

/** The write units of a tap, by index (empty for the table) and partition. */
export const recordPartitions = () => {
  const units = new Map<string, Map<string, number>>()
  const tap: Spent = (kind, charge) => {
    if (kind !== 'Write') return
    const of = units.get(charge.index ?? '') ?? new Map<string, number>()
    units.set(charge.index ?? '', of.set(charge.hash, (of.get(charge.hash) ?? 0) + charge.units))
  }
  return {
    tap,
    /** The units of the partitions whose key has this form, one by one. */
    unitsOf: (form: RegExp, index = ''): number[] =>
      [...(units.get(index) ?? [])].filter(([hash]) => form.test(hash)).map(([, sum]) => sum),
    /** The units of an index, or of the table itself. */
    sumOf: (index = ''): number => [...(units.get(index)?.values() ?? [])].reduce((sum, count) => sum + count, 0),
  }
}
