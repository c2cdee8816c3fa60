import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { openRows } from '../../engines/stored-rows.ts'

const makeFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'rows-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'rows.sqlite')
}

const open = (file: string) => {
  const rows = openRows(file)
  const numbered = rows.map<number, z.ZodMiniUnknown>('numbered', z.unknown())
  const named = rows.map<string, z.ZodMiniUnknown>('named', z.unknown())
  const shown = () => ({ numbered: [...numbered], named: [...named] })
  return { rows, numbered, named, shown }
}

// JSON has no -0.
const value = fc.jsonValue({ maxDepth: 2, noUnicodeString: false }).map((json) => JSON.parse(JSON.stringify(json)))
const step = fc.oneof(
  fc.record({ do: fc.constant('number' as const), key: fc.nat(4), value }),
  fc.record({ do: fc.constant('name' as const), key: fc.constantFrom('', '1', 'a', 'ä'), value }),
  fc.record({ do: fc.constant('remove number' as const), key: fc.nat(4) }),
  fc.record({ do: fc.constantFrom('clear' as const, 'save' as const, 'fail' as const, 'die' as const) }),
)

test('after a crash the maps hold the last save in the same order, and a failed save stores nothing', () => {
  const file = makeFile()
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
      let now = open(file)
      let saved = now.shown()
      for (const step of steps) {
        if (step.do === 'number') now.numbered.set(step.key, step.value)
        else if (step.do === 'name') now.named.set(step.key, step.value)
        else if (step.do === 'remove number') now.numbered.delete(step.key)
        else if (step.do === 'clear') now.named.clear()
        else if (step.do === 'save') {
          now.rows.save()
          saved = now.shown()
        } else if (step.do === 'fail') {
          now.numbered.set(5, 1n)
          expect(() => now.rows.save()).toThrow('BigInt')
          now.numbered.delete(5)
        } else {
          // As a killed process leaves it: nothing is closed.
          now = open(file)
          expect(now.shown()).toEqual(saved)
        }
      }
      expect(open(file).shown()).toEqual(saved)
    }),
    { numRuns: 300 },
  )
})

const fillProgram = fileURLToPath(new URL('./kept-rows/fill.ts', import.meta.url))

test('on a full disk a save fails, and all earlier saves remain', async () => {
  const file = makeFile()
  // Files of this process end after 200 blocks of 512 bytes.
  const command = 'ulimit -f 200 && exec "$0" "$@"'
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, fillProgram, file])
  const { saved, reason } = JSON.parse(stdout)
  expect(reason).toMatch(/full|I\/O/)
  expect(saved).toBeGreaterThan(0)
  const rows = openRows(file)
  expect(rows.map('filled', z.string()).size).toBe(saved)
})

test.each([
  ['no database', (file: string) => writeFileSync(file, 'this is no database')],
  [
    'a row that is not what it should be',
    (file: string) => {
      const rows = openRows(file)
      rows.map<string, z.ZodMiniNumber>('named', z.number()).set('a', 1)
      rows.save()
      rows.close()
    },
  ],
])('the error names a corrupt file: %s', (_title, mutate) => {
  const file = makeFile()
  mutate(file)
  expect(() => openRows(file).map('named', z.string())).toThrow(`The local state in ${file} is corrupt`)
})
