import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
/** The files that a row of the guarantees names; a bare name is in `test/` or next to the previous file. */
const testsIn = (row: string): string[] => {
  const [, , cell = ''] = row.split('|')
  const names = [...cell.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name)
  let folder = ''
  return names.map((name) => {
    if (name.includes('/')) folder = name.endsWith('/') ? name.slice(0, -1) : dirname(name)
    return name.includes('/') || existsSync(join(root, 'test', name)) ? name : join(folder, name)
  })
}

test('every guarantee names an existing test', () => {
  const [, section = ''] = textOf('test/README.md').split('\n## Guarantees\n')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| [A-Z9]/.test(line))
  expect(rows.length).toBeGreaterThan(60)
  for (const row of rows) {
    if (row.startsWith('| Guarantee |')) continue
    expect(row.split('|'), row).toHaveLength(4)
    const tests = testsIn(row)
    expect(tests.length > 0 || row.includes('npm run test:'), row).toBe(true)
    for (const path of tests) expect(existsSync(join(root, 'test', path)), path).toBe(true)
  }
})

test('the README stays short', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(150)
})
