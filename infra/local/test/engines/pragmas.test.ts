import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { pragmas } from '../../engines/pragmas.ts'

// https://www.sqlite.org/pragma.html#pragma_synchronous
const [normal, full] = [1, 2]

test.each([
  [false, normal],
  [true, full],
])('a database with isDurable %s has synchronous %i, and a write-ahead log', (isDurable, synchronous) => {
  const folder = mkdtempSync(join(tmpdir(), 'pragmas-'))
  const database = new DatabaseSync(join(folder, 'one.sqlite'))
  onTestFinished(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  database.exec(pragmas(isDurable))
  expect(database.prepare('pragma synchronous').get()).toEqual({ synchronous })
  expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
})
