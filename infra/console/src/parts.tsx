import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { attemptRead, isSignedOut, notice, readFailure, retries, tryAgain } from './service.ts'
import { accountOf, changes, nameOf, type Post, platformName } from './store.ts'

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

/** Whether something works, as a word and a shape. */
export const Health = ({ isGood, children }: { isGood: boolean; children: ComponentChildren }) => (
  <span class={`state ${isGood ? 'published' : 'failed'}`}>
    <span aria-hidden="true">{isGood ? marks['published'] : marks['failed']}</span> {children}
  </span>
)

/** The account of a post by its name, or the platform where the account is gone. */
export const accountName = ({ socialAccountId, platform }: Pick<Post, 'socialAccountId' | 'platform'>): string => {
  const account = accountOf(socialAccountId)
  return account === undefined ? platformName(platform) : nameOf(account)
}

export const textOf = ({ content, mediaUrls }: Pick<Post, 'content' | 'mediaUrls'>): string =>
  content.trim() === '' ? `${mediaUrls.length} ${mediaUrls.length === 1 ? 'file' : 'files'}` : content

/** How many windows are open: the last one shows the notices, because what is behind it is inert. */
const openDialogs = signal(0)

/** What the page says to everybody. */
export const Notice = ({ isPage = false }) => {
  const said = notice.value
  useEffect(() => {
    if (said === undefined || said.isBad) return
    const timer = setTimeout(() => {
      notice.value = undefined
    }, 6_000)
    return () => clearTimeout(timer)
  }, [said])
  if (isPage && openDialogs.value > 0) return null
  return (
    <div class="notices" role="status" aria-live="polite">
      {readFailure.value !== undefined && (
        <p class="alert">
          {readFailure.value}{' '}
          <button type="button" onClick={tryAgain}>
            Try again
          </button>
        </p>
      )}
      {said !== undefined && (
        <p class={said.isBad ? 'alert' : 'notice'}>
          {said.text}{' '}
          <button
            type="button"
            class="plain"
            onClick={() => {
              notice.value = undefined
            }}
          >
            Close
          </button>
        </p>
      )}
    </div>
  )
}

/** `replyControl` as "Reply control", and `playlistId` as "Playlist ID". */
export const labelOf = (name: string): string => {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/ (?:id|url)$/, (word) => word.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What a field means. Names between backticks are code, as in the reference. */
export const Hint = ({ text }: { text: string }) => (
  <span class="hint">{text.split('`').map((piece, n) => (n % 2 === 1 ? <code key={n}>{piece}</code> : piece))}</span>
)

interface PropertiesProps {
  values: Readonly<Record<string, string>>
  /** Numbers, to be read at a glance. */
  isLarge?: boolean
}

/** Values by their names. */
export const Properties = ({ values, isLarge = false }: PropertiesProps) => (
  <dl class={isLarge ? 'figures' : 'properties'}>
    {Object.entries(values).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

interface FilterProps {
  label: string
  /** What the list says while nothing is chosen. */
  all: string
  choices: readonly { id: string; name: string }[]
  value: string
  onChange: (id: string) => void
}

/** A list that filters what the view shows. */
export const Filter = ({ label, all, choices, value, onChange }: FilterProps) => (
  <label>
    <span class="unseen">{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{all}</option>
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A window over the page, which Escape closes. The focus goes back to what opened it. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    openDialogs.value += 1
    // It is about what was done before.
    notice.value = undefined
    return () => {
      element?.close()
      openDialogs.value -= 1
    }
  }, [])
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="plain" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <Notice />
      {children}
    </dialog>
  )
}

interface PagerProps {
  page: { nextCursor?: string | undefined } | undefined
  /** Undefined on the first page. */
  cursor: string | undefined
  onTurn: (cursor: string | undefined) => void
}

/** Goes through the pages of a list. */
export const Pager = ({ page, cursor, onTurn }: PagerProps) => (
  <div class="actions">
    {cursor !== undefined && (
      <button type="button" onClick={() => onTurn(undefined)}>
        First page
      </button>
    )}
    {page?.nextCursor !== undefined && (
      <button type="button" onClick={() => onTurn(page.nextCursor)}>
        Next page
      </button>
    )}
  </div>
)

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

/** What a view says until it has read what it shows. After an error, the notice above it offers to try again. */
export const Loading = () => (
  <p class="empty" role="status">
    {readFailure.value === undefined && !isSignedOut.value ? 'Loading…' : 'This cannot be shown now.'}
  </p>
)

interface Polling<T> {
  /** Whether the value still changes by itself. */
  isPending: (value: T) => boolean
  pauseMs: number
}

/** The most reads of a value that changes by itself. */
const maxReads = 1_000

/**
 * Reads when one of the keys changes, when somebody tries again, and while the value is pending. `onRead` gets the result,
 * unless it is undefined or another read is on its way. Without a call there is nothing to read.
 */
export const useReadEffect = <T,>(
  call: ((signal: AbortSignal) => Promise<T | undefined>) | undefined,
  keys: readonly unknown[],
  onRead: (value: T) => void,
  polling?: Polling<T>,
): void => {
  useEffect(() => {
    if (call === undefined) return
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const readNow = async (left: number) => {
      const value = await attemptRead(() => call(ending.signal), ending.signal)
      if (value === undefined) return
      onRead(value)
      if (polling?.isPending(value) && left > 0) timer = setTimeout(readNow, polling.pauseMs, left - 1)
    }
    void readNow(maxReads)
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [...keys, retries.value])
}

/**
 * What is read, and a way to read it again; it is also read again when posts have changed. It is undefined until the first
 * read of these keys has ended, and stays until a later one has.
 */
export const useRead = <T,>(
  call: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  polling?: Polling<T>,
): [T | undefined, () => void] => {
  const [read, setRead] = useState<{ key: string; value: T }>()
  const [reads, setReads] = useState(0)
  const key = JSON.stringify(keys)
  useReadEffect(call, [key, reads, changes.value], (value) => setRead({ key, value }), polling)
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
