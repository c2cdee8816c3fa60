import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { openStateFile } from '../engines/state-file.ts'
import { Store } from '../engines/table/store.ts'
import { storedMap } from '../platforms/stored-map.ts'
import { layoutOf } from '../start/layout.ts'
import { checkState } from '../start/saved-state.ts'
import { Stop } from '../stop.ts'

const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'torn-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes to it say that the disk is full (full(4)). */
const fullDisk = '/dev/full'

/** Makes a file's writes fail while something runs, and restores it. */
const whileFull = (file: string, run: () => void) => {
  renameSync(file, `${file}.kept`)
  symlinkSync(fullDisk, file)
  try {
    run()
  } finally {
    rmSync(file)
    renameSync(`${file}.kept`, file)
  }
}

const lineOf = (key: string, value: unknown) => `${JSON.stringify({ key, value })}\n`

test('truncating the file of a platform simulator anywhere loses at most the last post, and the simulator continues', () => {
  const folder = makeFolder()
  const file = join(folder, 'posts.jsonl')
  const written = Array.from({ length: 6 }, (_, n) => ({
    key: `k${n}`,
    value: { text: `Ünïcode ${n}`, media: [{ key: 'm', value: 1 }] },
  }))
  const bytes = Buffer.from(written.map(({ key, value }) => lineOf(key, value)).join(''))
  for (let length = 0; length <= bytes.length; length += 1) {
    writeFileSync(file, bytes.subarray(0, length))
    const whole = bytes.subarray(0, length).toString('latin1').split('\n').length - 1
    const map = storedMap(file)
    // A line that lacks nothing but its end is whole too.
    const atEnd = bytes[length] === 0x0a ? 1 : 0
    expect(map.values(), `cut at ${length}`).toEqual(written.slice(0, whole + atEnd).map(({ value }) => value))
    map.set('next', 'goes on')
    expect(storedMap(file).get('next')).toBe('goes on')
  }
})

test('acknowledged writes survive a restart, however often the disk was full and whatever it left', () => {
  const file = join(makeFolder(), 'posts.jsonl')
  // JSON has no minus zero.
  const value = fc.jsonValue({ maxDepth: 2 }).map((json): unknown => JSON.parse(JSON.stringify(json)))
  const step = fc.oneof(
    fc.record({
      do: fc.constant('set' as const),
      key: fc.constantFrom('a', 'b', 'c'),
      value,
    }),
    fc.record({ do: fc.constant('delete' as const), key: fc.constantFrom('a', 'b', 'c') }),
    fc.record({
      do: fc.constant('full' as const),
      key: fc.constantFrom('a', 'b', 'c'),
      value,
    }),
    fc.record({ do: fc.constant('kill' as const), key: fc.constantFrom('a', 'b', 'c'), left: fc.nat(12) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      rmSync(file, { force: true })
      let map = storedMap<unknown>(file)
      const acknowledged = new Map<string, unknown>()
      for (const step of steps) {
        if (step.do === 'set') {
          map.set(step.key, step.value)
          acknowledged.set(step.key, step.value)
        } else if (step.do === 'delete') {
          map.delete(step.key)
          acknowledged.delete(step.key)
        } else if (step.do === 'full') {
          whileFull(file, () => expect(() => map.set(step.key, step.value)).toThrow('ENOSPC'))
        } else {
          // Killed in the middle of a line.
          appendFileSync(file, lineOf(step.key, 'never answered').slice(0, step.left))
          map = storedMap(file)
        }
        expect(map.values().length).toBe(acknowledged.size)
      }
      const again = storedMap<unknown>(file)
      for (const key of ['a', 'b', 'c']) expect(again.get(key)).toEqual(acknowledged.get(key))
    }),
    { numRuns: 200 },
  )
})

test('a file with a partial line before a complete one loads, and the complete line is there', () => {
  const folder = makeFolder()
  const layout = layoutOf(folder)
  const file = join(folder, 'engines', 'posts.jsonl')
  storedMap(file).set('a', 1)
  appendFileSync(file, `{"key":"half","va${lineOf('b', { text: 'whole' })}${lineOf('c', 3)}`)
  expect(() => checkState(layout)).not.toThrow()
  expect(storedMap(file).values()).toEqual([1, { text: 'whole' }, 3])
  appendFileSync(file, 'nonsense\n')
  expect(() => checkState(layout)).toThrow(Stop)
})

test('a start with half a table, or without the table of an earlier run, stops and says so', () => {
  const layout = layoutOf(makeFolder())
  const file = join(layout.engines, 'table.sqlite')
  const store = new Store(layout.engines)
  store.close()
  expect(() => checkState(layout)).not.toThrow()
  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, whole.length / 2))
  expect(() => checkState(layout)).toThrow(`The state file ${file} is corrupt`)
  writeFileSync(file, '')
  // A first start can be killed before the table has a page.
  expect(() => checkState(layout)).not.toThrow()
  writeFileSync(layout.demo, '{}')
  expect(() => checkState(layout)).toThrow(`The table ${file} is empty or missing`)
  rmSync(file)
  expect(() => checkState(layout)).toThrow(`The table ${file} is empty or missing`)
})

const Shape = z.array(z.string())

test('on a full disk writes of keys and secrets fail, and the file stays intact', () => {
  const file = join(makeFolder(), 'keys.json')
  const stateFile = openStateFile(file, Shape, ['first'])
  stateFile.save()
  symlinkSync(fullDisk, `${file}.new`)
  stateFile.value.push('second')
  expect(() => stateFile.save()).toThrow('ENOSPC')
  expect(openStateFile(file, Shape, []).value).toEqual(['first'])
  rmSync(`${file}.new`)
  // What an interrupted write left next to the file has no meaning.
  const whole = readFileSync(file)
  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(`${file}.new`, whole)
    truncateSync(`${file}.new`, length)
    expect(openStateFile(file, Shape, []).value).toEqual(['first'])
  }
  stateFile.save()
  expect(openStateFile(file, Shape, []).value).toEqual(['first', 'second'])
})
