import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { areStoredLines } from '../engines/stored-lines.ts'
import { Stop } from '../stop.ts'
import type { Layout } from './layout.ts'

/** The files that outlive a run; the folder may contain others. */
const statePathsOf = ({ engines, ports, demo, clock }: Layout): string[] => [engines, ports, demo, clock]

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Reads the whole database, which detects half a file (https://www.sqlite.org/pragma.html#pragma_quick_check). */
export const isWhole = (file: string): boolean => {
  try {
    const database = new DatabaseSync(file)
    try {
      return database.prepare('pragma quick_check(1)').get()?.['quick_check'] === 'ok'
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}

/** Whether a file can be what its name says; its reader drops truncated lines of a `.jsonl`. */
const checks: Readonly<Record<string, (file: string) => boolean>> = {
  '.json': (file) => parses(readFileSync(file, 'utf8')),
  '.jsonl': (file) => areStoredLines(readFileSync(file, 'utf8')),
  '.sqlite': isWhole,
}

/** The demo starts after the table exists, so that a first start that was killed earlier has no such file. */
const lacksTable = ({ engines, demo }: Layout): boolean => {
  const { size } = statSync(join(engines, 'table.sqlite'), { throwIfNoEntry: false }) ?? { size: 0 }
  return size === 0 && existsSync(demo)
}

const filesBelow = (path: string): string[] => {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
}

/** Where versions before the embedded table stored the tables of DynamoDB Local. */
const formerTables = ({ engines }: Layout): string => join(engines, 'dynamodb')

/** Stops with the name of the first state file that an earlier run cannot have left, or that this version cannot read. */
export const checkState = (layout: Layout): void => {
  const former = formerTables(layout)
  if (existsSync(former)) {
    throw new Stop(
      `The tables in ${former} are DynamoDB Local's, which this version cannot read: start over with "npm start -- --reset", or use another folder with "--state".`,
    )
  }
  for (const file of statePathsOf(layout).flatMap(filesBelow)) {
    if (checks[extname(file)]?.(file) === false) {
      throw new Stop(`The state file ${file} is corrupt: repair it, or start over with "npm start -- --reset".`)
    }
  }
  if (lacksTable(layout)) {
    throw new Stop(
      `The table ${join(layout.engines, 'table.sqlite')} is empty or missing, and other state of an earlier run is there: put it back, or start over with "npm start -- --reset".`,
    )
  }
}

/** Forgets what earlier runs left. */
export const deleteState = (layout: Layout): void => {
  for (const path of statePathsOf(layout)) rmSync(path, { recursive: true, force: true })
}
