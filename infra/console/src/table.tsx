import type { ComponentChildren } from 'preact'
import { Empty, Loading } from './parts.tsx'
import { useRead } from './use-read.ts'

export interface Column<T> {
  name: string
  /** The name is for screen readers alone: a column of buttons. */
  isUnnamed?: boolean
  cell: (row: T) => ComponentChildren
}

interface TableProps<T> {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
}

/** Rows and columns, which scroll on a narrow screen. */
export const Table = <T,>({ label, columns, rows, keyOf }: TableProps<T>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, no key scrolls the table (axe: scrollable-region-focusable).
  <section class="scroll" tabIndex={0} aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map(({ name, isUnnamed }) => (
            <th key={name}>{isUnnamed ? <span class="unseen">{name}</span> : name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ name, cell }) => (
              <td key={name}>{cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

interface ListingProps<T> extends Omit<TableProps<T>, 'columns' | 'rows'> {
  read: () => Promise<readonly T[]>
  keys: readonly unknown[]
  /** What it says without rows. */
  empty: string
  columns: (again: () => void) => readonly Column<T>[]
  /** What is below the rows. */
  actions?: (again: () => void) => ComponentChildren
}

/** A table that reads its rows, and reads them again after an action. */
export const Listing = <T,>({ read, keys, empty, columns, actions, ...table }: ListingProps<T>) => {
  const [rows, again] = useRead(read, keys)
  if (rows === undefined) return <Loading />
  return (
    <>
      {rows.length === 0 ? <Empty>{empty}</Empty> : <Table {...table} rows={rows} columns={columns(again)} />}
      {actions !== undefined && <p class="actions">{actions(again)}</p>}
    </>
  )
}
