import type { Entry, Report } from './report.ts'
import type { Row } from './rows.ts'

/** The action for each row of the file. */
export interface Sorted {
  /** Rows that were never sent. */
  fresh: Row[]
  /** Rows that were sent, and whose outcome is unknown. */
  unfinished: Entry[]
  accepted: Entry[]
  /** Rows that the service refused. */
  failed: { row: Row; entry: Entry }[]
  /** Rows that differ from what was sent. They are not sent again. */
  changed: { row: Row; entry: Entry }[]
}

/** Whether a row seems to be another version of one that was sent. */
const isVersionOf = ({ number, cells }: Row, { sent }: Entry): boolean =>
  sent.row === number ||
  sent.body.content === cells.content ||
  sent.body.externalId === cells.externalId ||
  (sent.cells.accounts === cells.accounts && sent.cells.at === cells.at)

/**
 * Compares a file with the report of its run. A row is recognized by its contents, so that rows may be inserted and moved.
 * If a sent row is missing, a similar new row is its changed version, which would be a second post. A row that was corrected
 * after a refusal is a new one.
 */
export const sortRows = (rows: readonly Row[], report: Report | undefined): Sorted => {
  const sorted: Sorted = { fresh: [], unfinished: [], accepted: [], failed: [], changed: [] }
  if (report === undefined) return { ...sorted, fresh: [...rows] }
  const present = new Set(rows.map(({ identity }) => identity))
  const gone = [...report.entries.values()].filter(({ sent }) => !present.has(sent.identity))
  const replaced = new Set(gone.filter(({ outcome }) => outcome?.status !== 'failed'))
  sorted.unfinished.push(...gone.filter(({ outcome }) => outcome === undefined))
  for (const row of rows) {
    const entry = report.entries.get(row.identity)
    if (entry === undefined) {
      const before = [...replaced].find((each) => isVersionOf(row, each))
      if (before === undefined) sorted.fresh.push(row)
      else {
        replaced.delete(before)
        sorted.changed.push({ row, entry: before })
      }
    } else if (entry.outcome === undefined) sorted.unfinished.push(entry)
    else if (entry.outcome.status === 'accepted') sorted.accepted.push(entry)
    else sorted.failed.push({ row, entry })
  }
  return sorted
}
