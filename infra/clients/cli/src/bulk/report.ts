import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { Usage } from '../errors.ts'

/** The request of a row, stored before it is sent: a repeat is the same, byte for byte and under the same key. */
export interface SentRow {
  type: 'sent'
  row: number
  identity: string
  /** As written in the file. */
  cells: { accounts: string; at: string }
  attempt: number
  key: string
  path: '/api/posts/schedule' | '/api/posts/publish-now'
  body: {
    socialAccountIds: string[]
    content: string
    externalId: string
    scheduledAt?: string
    mediaUrls?: string[]
    metadata?: Record<string, unknown>
  }
  at: string
}

/** The outcome. */
export interface Outcome {
  type: 'outcome'
  row: number
  identity: string
  status: 'accepted' | 'failed'
  postIds: string[]
  code?: string
  message?: string
  requestId?: string | null
  /** The posts were found by their external ID: the response was lost. */
  found?: true
  at: string
}

/** A file that was uploaded for a row, so that it is uploaded once. */
export interface UploadedFile {
  type: 'media'
  path: string
  size: number
  mtimeMs: number
  id: string
}

/** The first line: which run, and where. */
export interface RunLine {
  type: 'run'
  version: 1
  run: string
  baseUrl: string
  workspaceId: string
  at: string
}

type Line = RunLine | SentRow | Outcome | UploadedFile

export interface Entry {
  sent: SentRow
  outcome: Outcome | undefined
}

/** The contents of a report, by the identity of rows. */
export interface Report {
  run: RunLine
  entries: Map<string, Entry>
  files: Map<string, UploadedFile>
}

const damaged = (path: string, line: number) =>
  new Usage(`${path}: line ${line} is damaged. Repair it; without it, rows would be sent twice.`)

const isLine = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The complete lines. The text after the last line break was being written when the command was killed. */
const linesIn = (path: string, text: string): Line[] =>
  text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map((line, at) => {
      try {
        const value: unknown = JSON.parse(line)
        if (isLine(value)) return value
      } catch {}
      throw damaged(path, at + 1)
    })

/** Reads the report of an earlier run; undefined if there is none. */
export const readReport = (path: string): Report | undefined => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const [run, ...lines] = linesIn(path, text)
  // Killed before its first line was written: nothing was sent.
  if (run === undefined) return undefined
  if (run.type !== 'run' || run.version !== 1)
    throw new Usage(`${path} is not the report of a bulk. Choose another file with --report.`)
  const entries = new Map<string, Entry>()
  const files = new Map<string, UploadedFile>()
  for (const line of lines) {
    if (line.type === 'sent') entries.set(line.identity, { sent: line, outcome: undefined })
    if (line.type === 'media') files.set(line.path, line)
    const entry = line.type === 'outcome' ? entries.get(line.identity) : undefined
    if (entry && line.type === 'outcome') entry.outcome = line
  }
  return { run, entries, files }
}

export interface ReportWriter {
  /** Returns once the line is on disk. */
  append(line: Line): void
  /** The same without waiting for the disk: if the line is lost, the row is repeated under its key. */
  note(line: Line): void
  close(): void
}

/** Opens the report to add lines, and cuts off a line that is not complete. */
export const openReport = (path: string, run: RunLine | undefined): ReportWriter => {
  const file = openSync(path, 'a', 0o600)
  const note = (line: Line) => void writeSync(file, `${JSON.stringify(line)}\n`)
  const append = (line: Line) => {
    note(line)
    fdatasyncSync(file)
  }
  const bytes = readFileSync(path)
  ftruncateSync(file, bytes.lastIndexOf(0x0a) + 1)
  if (run) {
    append(run)
    syncFolder(path)
  }
  return { append, note, close: () => closeSync(file) }
}

/** The name of a new file is stored in its folder, which is synced separately. */
const syncFolder = (path: string): void => {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
