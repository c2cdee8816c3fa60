import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../.github/workflows/', import.meta.url))

test('a moved tag cannot change what CI runs: every action is pinned by the hash of a commit', () => {
  const used = readdirSync(folder).flatMap((name) => readFileSync(`${folder}${name}`, 'utf8').match(/uses:.*/g) ?? [])
  expect(used.length).toBeGreaterThan(0)
  for (const line of used) expect(line).toMatch(/^uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})
