import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { build } from '../../infra/local/start/build.ts'
import { hashSources } from '../../infra/local/start/hash-sources.ts'
import { buildWithinMs, built } from './processes.ts'

const root = join(import.meta.dirname, '../..')
beforeAll(built, buildWithinMs)

test('a start after a checkout that changed no file bundles nothing', async () => {
  const now = new Date()
  for (const file of ['functions/routes.ts', 'cdk.json']) utimesSync(join(root, file), now, now)
  await build((text) => {
    throw new Error(`it says: ${text}`)
  })
})

test('a first start leaves no source maps on the disk', () => {
  const files = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  expect(files.filter(({ name }) => name.endsWith('.map'))).toEqual([])
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  expect(bytes).toBeGreaterThan(30e6)
  expect(bytes).toBeLessThan(120e6)
})

test('a start bundles again after each change of deployed code, and after no other change', () => {
  const copy = mkdtempSync(join(tmpdir(), 'sources-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  for (const folder of ['functions', 'shared', 'infra/local']) mkdirSync(join(copy, folder), { recursive: true })
  for (const file of ['cdk.json', 'package-lock.json']) cpSync(join(root, file), join(copy, file))
  const write = (file: string, text: string) => writeFileSync(join(copy, file), text)
  write('functions/one.ts', 'one')
  const seen = [hashSources(copy)]
  const changes = [
    () => write('functions/one.ts', 'two'),
    () => write('infra/new.ts', ''),
    () => renameSync(join(copy, 'functions/one.ts'), join(copy, 'shared/one.ts')),
    () => write('cdk.json', '{}'),
    () => rmSync(join(copy, 'shared/one.ts')),
  ]
  for (const change of changes) {
    change()
    const hash = hashSources(copy)
    expect(seen).not.toContain(hash)
    seen.push(hash)
  }
  write('infra/local/new.ts', 'anything')
  write('README.md', 'anything')
  utimesSync(join(copy, 'cdk.json'), 0, 0)
  expect(hashSources(copy)).toBe(seen.at(-1))
})
