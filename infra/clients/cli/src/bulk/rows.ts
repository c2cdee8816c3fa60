import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { CsvError, parse } from 'csv-parse/sync'
import { Usage } from '../errors.ts'
import { cannotRead } from '../text.ts'

/** The columns of the file. */
export const columns = ['accounts', 'content', 'at', 'media', 'externalId', 'metadata'] as const
type Column = (typeof columns)[number]

/** A row as written in the file. */
export interface Row {
  /** As a spreadsheet counts: the header is row 1. */
  number: number
  cells: Readonly<Record<Column, string>>
  /** The contents of the row, by which it is recognized when others are inserted above it; equal rows are counted. */
  identity: string
}

const maxRows = 50_000

const columnOf = (name: string) => columns.find((column) => column.toLowerCase() === name.trim().toLowerCase())

const headerOf = (path: string, names: readonly string[]): Map<number, Column> => {
  const matched = names.map(columnOf)
  // A spreadsheet has columns without a name at the end.
  const unknown = names.find((name, at) => matched[at] === undefined && name.trim() !== '')
  if (unknown !== undefined) {
    throw new Usage(`${path}: "${unknown}" is not a column. The columns are ${columns.join(', ')}.`)
  }
  const double = matched.find((column, at) => column !== undefined && matched.indexOf(column) !== at)
  if (double !== undefined) throw new Usage(`${path}: the column "${double}" is there twice.`)
  for (const column of ['accounts', 'content'] as const) {
    if (!matched.includes(column)) throw new Usage(`${path}: the column "${column}" is missing in the first line.`)
  }
  return new Map(matched.flatMap((column, at) => (column === undefined ? [] : [[at, column] as const])))
}

/** The text of a file in UTF-8, in UTF-16 with a byte order mark, or in the encoding that the person names. */
const textOf = (path: string, encoding: string | undefined): string => {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw cannotRead(path, error)
  }
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding ?? marked, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError)
      throw new Usage(`"${encoding}" is not an encoding. Write for example windows-1252.`)
    const lines = bytes.toString('latin1').split('\n')
    const line = lines.findIndex((each) => !isUtf8(Buffer.from(each, 'latin1'))) + 1
    const where = encoding === undefined && line > 0 ? `line ${line} is not UTF-8` : `it is not ${encoding ?? marked}`
    throw new Usage(
      `${path}: ${where}. Save the file as "CSV UTF-8", or name its encoding, such as --encoding windows-1252.`,
    )
  }
}

/** The separator of the cells: from the line `sep=;` of a spreadsheet, otherwise the one that yields the most columns. */
const divided = (text: string): { delimiter: string; table: string } => {
  const [line = '', delimiter] = /^sep=(.)\r?\n/i.exec(text) ?? []
  if (delimiter !== undefined) return { delimiter, table: text.slice(line.length) }
  const [first = ''] = text.split(/\r?\n/, 1)
  const named = (sign: string) => first.split(sign).filter((name) => columnOf(name.replaceAll('"', ''))).length
  const signs = [',', ';', '\t'].sort((a, b) => named(b) - named(a))
  return { delimiter: signs[0] ?? ',', table: text }
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
  return new Usage(`${path}: ${line} cannot be read. ${csvSentences[error.code] ?? error.message}`)
}

const recordsOf = (path: string, text: string): string[][] => {
  const { delimiter, table } = divided(text)
  try {
    return parse(table, { delimiter, relax_column_count: true })
  } catch (error) {
    throw error instanceof CsvError ? csvProblem(path, error) : error
  }
}

const isBlank = (cell: string) => cell.trim() === ''

/** Reads the rows of a CSV file (RFC 4180), divided by commas, semicolons, or tabs. Rows of empty cells are left out. */
export const readRows = (path: string, encoding?: string): Row[] => {
  const [names = [], ...records] = recordsOf(path, textOf(path, encoding))
  const header = headerOf(path, names)
  const seen = new Map<string, number>()
  const rows = records.flatMap((record, at): Row[] => {
    if (record.every(isBlank)) return []
    const number = at + 2
    if (record.length < names.length || record.some((cell, column) => !header.has(column) && !isBlank(cell))) {
      throw new Usage(
        `${path}: row ${number} has more or fewer cells than the first line. Quote cells that contain what divides them.`,
      )
    }
    const cells = { ...empty }
    for (const [column, name] of header) cells[name] = (record[column] ?? '').replace(/\r\n/g, '\n').trim()
    const hash = digest(JSON.stringify(columns.map((column) => cells[column])))
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    return [{ number, cells, identity: `${hash}-${count}` }]
  })
  if (rows.length > maxRows) throw new Usage(`${path} has more than ${maxRows} rows. Divide it.`)
  if (rows.length === 0) throw new Usage(`${path} has no rows. Its first line names the columns: ${columns.join(',')}`)
  return rows
}
