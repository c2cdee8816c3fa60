import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { CsvError, parse } from 'csv-parse'
import { Usage } from '../errors.ts'
import { cannotRead } from '../text.ts'

/** The columns of the file. */
export const columns = ['accounts', 'content', 'at', 'media', 'externalId', 'metadata'] as const
type Column = (typeof columns)[number]

/** A row as it stands in the file. */
export interface Row {
  /** As a spreadsheet counts: the header is row 1. */
  number: number
  cells: Readonly<Record<Column, string>>
  /** What the row says, so that it is recognized when others are inserted above it; equal rows are counted. */
  identity: string
}

const maxRows = 50_000

const headerOf = (path: string, names: readonly string[]): Map<number, Column> => {
  const matched = names.map((name) => columns.find((column) => column.toLowerCase() === name.trim().toLowerCase()))
  const unknown = names.find((_, at) => matched[at] === undefined)
  if (unknown !== undefined) {
    throw new Usage(`${path}: "${unknown}" is not a column. The columns are ${columns.join(', ')}.`)
  }
  const double = matched.find((column, at) => matched.indexOf(column) !== at)
  if (double !== undefined) throw new Usage(`${path}: the column "${double}" is there twice.`)
  for (const column of ['accounts', 'content'] as const) {
    if (!matched.includes(column)) throw new Usage(`${path}: the column "${column}" is missing in the first line.`)
  }
  return new Map(matched.flatMap((column, at) => (column === undefined ? [] : [[at, column] as const])))
}

const empty = Object.fromEntries(columns.map((column) => [column, ''])) as Record<Column, string>

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

const csvSentences: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quote is opened and not closed.',
  CSV_INVALID_CLOSING_QUOTE: 'A quote inside of a quoted cell must be doubled.',
  INVALID_OPENING_QUOTE: 'A cell with a quote must be quoted as a whole.',
}

const csvProblem = (path: string, error: CsvError): Usage => {
  const line = 'lines' in error ? `line ${error['lines']}` : 'the file'
  const sentence =
    csvSentences[error.code] ?? 'It has more or fewer cells than the first line. Quote cells that contain commas.'
  return new Usage(`${path}: ${line} cannot be read. ${sentence}`)
}

/** Reads the rows of a CSV file (RFC 4180) as a stream. */
export const readRows = async (path: string): Promise<Row[]> => {
  const rows: Row[] = []
  const seen = new Map<string, number>()
  let header: Map<number, Column> | undefined
  let number = 0
  const file = createReadStream(path)
  const parser = parse({ bom: true, skip_empty_lines: true, relax_column_count: false })
  file.on('error', (error) => parser.destroy(error))
  try {
    for await (const record of file.pipe(parser) as AsyncIterable<string[]>) {
      number += 1
      if (header === undefined) {
        header = headerOf(path, record)
        continue
      }
      const cells = { ...empty }
      for (const [at, column] of header) cells[column] = (record[at] ?? '').replace(/\r\n/g, '\n').trim()
      const hash = digest(JSON.stringify(columns.map((column) => cells[column])))
      const count = (seen.get(hash) ?? 0) + 1
      seen.set(hash, count)
      rows.push({ number, cells, identity: `${hash}-${count}` })
      if (rows.length > maxRows) throw new Usage(`${path} has more than ${maxRows} rows. Divide it.`)
    }
  } catch (error) {
    if (error instanceof CsvError) throw csvProblem(path, error)
    throw error instanceof Usage ? error : cannotRead(path, error)
  }
  if (rows.length === 0) throw new Usage(`${path} has no rows. Its first line names the columns: ${columns.join(',')}`)
  return rows
}
