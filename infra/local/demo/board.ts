import type { Print } from '../progress.ts'

/** Lines that change, each under a name. */
export interface Board {
  show(name: string, line: string): void
}

/** On a terminal, which has columns, each line is redrawn; elsewhere every change prints a new line. */
export const makeBoard = (print: Print, columns: number | undefined): Board => {
  const lines = new Map<string, string>()
  /** A long line takes several rows. */
  const rowsOf = (line: string): number => (columns ? Math.max(1, Math.ceil([...line].length / columns)) : 1)
  const countRows = (): number => [...lines.values()].reduce((sum, line) => sum + rowsOf(line), 0)
  return {
    show(name, line) {
      if (lines.get(name) === line) return
      const drawn = countRows()
      lines.set(name, line)
      if (columns === undefined) return print(`${line}\n`)
      const back = drawn === 0 ? '' : `\x1b[${drawn}A\x1b[J`
      print(back + [...lines.values()].map((text) => `${text}\n`).join(''))
    },
  }
}
