import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folders = ['../../.github/workflows/', '../../infra/deploy/pipeline/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

test('a moved tag cannot change what CI or a deployment runs: every action is pinned by the hash of a commit', () => {
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => `${folder}${name}`))
  const used = files.flatMap((file) => readFileSync(file, 'utf8').match(/uses:.*/g) ?? [])
  expect(used.length).toBeGreaterThan(4)
  for (const line of used) expect(line).toMatch(/^uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})
