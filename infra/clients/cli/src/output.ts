import { stripVTControlCharacters, styleText } from 'node:util'
import { printFiltered } from './jq.ts'
import { tableLines } from './table.ts'

type Format = Parameters<typeof styleText>[0]

/** A column of a table: its title, and the text of each row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>

export interface Output {
  readonly json: boolean
  /** The result: one JSON document with `--json`, the output of the `--jq` filter, otherwise the output of `people`. */
  result(value: unknown, people: () => void): void
  /** One of several results: a line of JSON with `--json`. */
  record(value: unknown, people: () => void): void
  line(text?: string): void
  table<Row>(columns: Columns<Row>, rows: readonly Row[]): void
  /** A note for people, on stderr, so that it is never part of a result. */
  note(text: string): void
  paint(format: Format, text: string): string
  readonly errors: NodeJS.WriteStream
}

/** Text of others, such as a post, must not control the terminal. */
export const plain = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/\s+/g, ' ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()

type Environment = Readonly<Record<string, string | undefined>>

/** Colors only for people who look at a terminal (no-color.org). */
export const hasColor = (stream: NodeJS.WriteStream, env: Environment, requested: boolean): boolean =>
  requested && !env['NO_COLOR'] && env['TERM'] !== 'dumb' && stream.isTTY === true

interface OutputOptions {
  json(): boolean
  /** The output of jq for each JSON document. */
  jq(): string | undefined
  color(): boolean
}

export const makeOutput = (options: OutputOptions, env: Environment): Output => {
  const { stdout, stderr } = process
  const line = (text = '') => void stdout.write(`${text}\n`)
  const paint = (format: Format, text: string) =>
    hasColor(stdout, env, options.color()) ? styleText(format, text, { validateStream: false }) : text
  const printJson = (value: unknown, indent?: number) => {
    const [filter, document] = [options.jq(), JSON.stringify(value, undefined, indent)]
    if (filter === undefined) line(document)
    else printFiltered(filter, document)
  }
  return {
    get json() {
      return options.json()
    },
    result(value, people) {
      if (options.json()) printJson(value, 2)
      else people()
    },
    record(value, people) {
      if (options.json()) printJson(value)
      else people()
    },
    line,
    table(columns, rows) {
      const cells = rows.map((row) => Object.values(columns).map((read) => plain(read(row))))
      const [titles = '', ...lines] = tableLines(
        Object.keys(columns),
        cells,
        stdout.isTTY ? stdout.columns || 80 : Infinity,
      )
      line(paint('dim', titles))
      for (const each of lines) line(each)
    },
    note: (text) => void stderr.write(`${text}\n`),
    paint,
    errors: stderr,
  }
}
