import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { attempt } from './service.ts'
import { accountOf, nameOf, type Post } from './store.ts'

/** The states of a post: a word and a shape, so that none depends on color. */
const marks: Readonly<Record<string, string>> = {
  scheduled: '◷',
  published: '✓',
  failed: '✕',
  cancelled: '–',
  draft: '✎',
}

export const State = ({ status }: Pick<Post, 'status'>) => (
  <span class={`state ${status}`}>
    <span aria-hidden="true">{marks[status] ?? '·'}</span> {status}
  </span>
)

export const Mark = ({ status }: Pick<Post, 'status'>) => (
  <span class={`mark ${status}`} aria-hidden="true">
    {marks[status] ?? '·'}
  </span>
)

/** The account of a post by its name, or the platform where the account is gone. */
export const accountName = ({ socialAccountId, platform }: Pick<Post, 'socialAccountId' | 'platform'>): string => {
  const account = accountOf(socialAccountId)
  return account === undefined ? platform : nameOf(account)
}

export const textOf = ({ content, mediaUrls }: Pick<Post, 'content' | 'mediaUrls'>): string =>
  content.trim() === '' ? `${mediaUrls.length} ${mediaUrls.length === 1 ? 'file' : 'files'}` : content

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A window over the page, which Escape closes. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="plain" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  )
}

interface MomentFieldsProps {
  day: string
  time: string
  onChange: (values: { day: string } | { time: string }) => void
}

/** A day and a time on the clocks of the workspace. */
export const MomentFields = ({ day, time, onChange }: MomentFieldsProps) => (
  <>
    <label>
      Day
      <input type="date" required value={day} onInput={({ currentTarget }) => onChange({ day: currentTarget.value })} />
    </label>
    <label>
      Time
      <input
        type="time"
        required
        value={time}
        onInput={({ currentTarget }) => onChange({ time: currentTarget.value })}
      />
    </label>
  </>
)

/** What a view says where it has nothing to show yet. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

export const Loading = () => (
  <p class="empty" role="status">
    Loading…
  </p>
)

/**
 * Reads when one of the keys changes, and again when it is asked to. The value is undefined until the first read has ended,
 * and what a failed read would replace stays.
 */
export const useRead = <T,>(call: () => Promise<T>, keys: readonly unknown[]): [T | undefined, () => void] => {
  const [read, setRead] = useState<{ key: string; value: T }>()
  const [reads, setReads] = useState(0)
  const key = JSON.stringify(keys)
  useEffect(() => {
    let isCurrent = true
    attempt(call).then((value) => value !== undefined && isCurrent && setRead({ key, value }))
    return () => {
      isCurrent = false
    }
  }, [key, reads])
  return [read?.key === key ? read.value : undefined, () => setReads((before) => before + 1)]
}

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
