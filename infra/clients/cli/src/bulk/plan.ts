import { type Account, accountsNamed } from '../accounts.ts'
import { Usage } from '../errors.ts'
import { readJsonObject } from '../text.ts'
import { readFutureTime } from '../time.ts'
import { assertFile, isInLibrary } from '../upload.ts'
import type { Row } from './rows.ts'

/** A row that can be sent. */
export interface Planned {
  row: Row
  accountIds: string[]
  content: string
  /** Null for a post that is published immediately. */
  scheduledAt: string | null
  /** Files of this machine, and IDs of the library. */
  media: string[]
  externalId: string | undefined
  metadata: Record<string, unknown> | undefined
}

export interface Problem {
  number: number
  message: string
}

const list = (cell: string) =>
  cell
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)

interface Options {
  accounts: readonly Account[]
  zone: string
  /** Rows without a time are published immediately. */
  now: boolean
  nowMs: number
}

const planRow = (row: Row, { accounts, zone, now, nowMs }: Options): Planned => {
  const { cells } = row
  const names = list(cells.accounts)
  if (names.length === 0) throw new Usage('The cell "accounts" is empty. Name an account, or several divided by ";".')
  const accountIds = accountsNamed(accounts, names).map(({ id }) => id)
  const media = list(cells.media)
  for (const path of media) if (!isInLibrary(path)) assertFile(path)
  if (cells.content === '' && media.length === 0) throw new Usage('The cells "content" and "media" are empty.')
  if (cells.at === '' && !now) {
    throw new Usage('The cell "at" is empty. Write a time, or add --now to publish rows without one now.')
  }
  if (cells.externalId.length > 200) throw new Usage('The cell "externalId" has more than 200 characters.')
  return {
    row,
    accountIds,
    content: cells.content,
    scheduledAt: cells.at === '' ? null : new Date(readFutureTime(cells.at, zone, nowMs)).toISOString(),
    media,
    externalId: cells.externalId || undefined,
    metadata: readJsonObject('The cell "metadata"', cells.metadata || undefined),
  }
}

/** Parses the cells of the rows, and finds all errors before the service is called. */
export const planRows = (rows: readonly Row[], options: Options): { planned: Planned[]; problems: Problem[] } => {
  const planned: Planned[] = []
  const problems: Problem[] = []
  for (const row of rows) {
    try {
      planned.push(planRow(row, options))
    } catch (error) {
      if (!(error instanceof Usage)) throw error
      problems.push({ number: row.number, message: error.message })
    }
  }
  return { planned, problems }
}
