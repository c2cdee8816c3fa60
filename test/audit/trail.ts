import { auditEntries } from '../../shared/audit/entry.ts'
import type { Item } from '../../shared/db/table.ts'
import type { Kit } from '../support/start.ts'
import { scanTable } from '../support/world/rows.ts'

/** The entries among rows, of all workspaces, in the order of their times. */
export const entriesIn = (rows: readonly Item[]) =>
  rows
    .filter(({ type }) => type === 'AuditEntry')
    .map(auditEntries.parse)
    .sort((a, b) => (a.id < b.id ? -1 : 1))

/** The entries that are added while something runs. */
export const addedDuring = async (kit: Kit, run: () => Promise<unknown>) => {
  const known = new Set(entriesIn(await scanTable(kit)).map(({ id }) => id))
  await run()
  return entriesIn(await scanTable(kit)).filter(({ id }) => !known.has(id))
}
