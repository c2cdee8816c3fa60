import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { patchedTree } from '../support/patched-tree.ts'
import { getSharedSetup } from '../support/shared-setup.ts'
import { mutations, searchFrom } from './mutations.ts'

const maxSeeds = 1000

/** What `npm run simulate` prints in a copy of the sources. */
const simulate = async (tree: string, ...options: string[]): Promise<string> => {
  const program = join(tree, 'test/simulation/simulate.ts')
  const folder = dirname((await getSharedSetup()).assembly)
  const run = promisify(execFile)(process.execPath, [program, ...options, '--folder', folder], { maxBuffer: 2 ** 26 })
  return run.then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  )
}

test.each(Object.entries(mutations))(
  'the simulation detects %s',
  async (name, patches) => {
    const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
    try {
      const tree = patchedTree(join(folder, 'tree'), patches)
      const from = searchFrom[name] ?? 1
      const printed = await simulate(tree, '--from', String(from), '--seeds', String(maxSeeds), '--first')
      const [, seed = '', violation] = /^seed (\d+): (.*)$/m.exec(printed) ?? []
      expect(violation, printed).toBeDefined()
      console.log(`${name}: seed ${seed} of ${maxSeeds} from ${from} on, ${violation}`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  900_000,
)
