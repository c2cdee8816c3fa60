import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { getSharedSetup } from '../support/shared-setup.ts'

/** What following one post through the product takes at most. A change that needs fewer files lowers it. */
const maxFiles = 87

test('a post, its publication, and the retry of its webhook run through a bounded number of files', async () => {
  // The walk finds the templates that it synthesizes.
  await getSharedSetup()
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../bench/walk.ts')])
  const files = Number(/^in all: (\d+)$/m.exec(stdout)?.[1])
  expect(files).toBeGreaterThan(20)
  expect(files, stdout).toBeLessThanOrEqual(maxFiles)
})
