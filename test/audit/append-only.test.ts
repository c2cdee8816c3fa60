import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = ['shared', 'functions'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
)
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

test('the rows of the trail are written in one place, with a put that replaces none', () => {
  const knowing = sources.filter((path) => /\bauditEntries\b|#AUDIT/.test(textOf(path)))
  expect(knowing).toContain('shared/audit/record.ts')
  // The export reads the trail.
  expect(knowing.filter((path) => dirname(path) !== 'shared/audit')).toEqual(['shared/export/sources/logs.ts'])
  const writing = knowing.filter((path) =>
    /\b(?:put|update|delete|transact|removeRows|updateOnly)\b/.test(textOf(path)),
  )
  expect(writing).toEqual(['shared/audit/record.ts'])
  expect(textOf('shared/audit/record.ts')).toMatch(/return \{ put: .*, when: absent\('PK'\) \}/)
  expect(textOf('shared/audit/record.ts')).not.toMatch(/\b(?:update|delete)\b/)
})
