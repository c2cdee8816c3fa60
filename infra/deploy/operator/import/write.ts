import type { Context } from '../../../../shared/context.ts'
import { wasCurrent } from '../../../../shared/db/condition-failed.ts'
import { absent } from '../../../../shared/db/expression.ts'
import { batchGet, type Item, keyOf, transact, type Write } from '../../../../shared/db/table.ts'

/** Rows of one transaction, which also writes counters and long texts. */
const rowsAtOnce = 40
const maxTries = 20

/** A row to import, and the writes that belong to it. */
export interface ImportedRow {
  row: Item
  beside?: readonly Write[]
}

/**
 * Writes missing rows, together with the counters that `count` derives from the new ones. A repeat finds existing rows, so
 * an interrupted import is simply run again.
 */
export const writeNew = async <R extends ImportedRow>(
  ctx: Context,
  rows: readonly R[],
  count: (added: readonly R[]) => readonly Write[] = () => [],
): Promise<number> => {
  let written = 0
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce)
    for (let tries = 1; ; tries += 1) {
      if (tries > maxTries) throw new Error('the workspace changes while it is imported')
      const fetched = await batchGet(
        ctx,
        some.map(({ row }) => keyOf(row)),
      )
      const added = some.filter(({ row }) => fetched.item(keyOf(row)) === undefined)
      if (added.length === 0) break
      const puts = () => [
        ...added.flatMap(({ row, beside = [] }): Write[] => [{ put: row, when: absent('PK') }, ...beside]),
        ...count(added),
      ]
      if (await wasCurrent(transact(ctx, puts))) {
        written += added.length
        break
      }
    }
  }
  return written
}
