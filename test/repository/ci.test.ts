import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const steps = textOf('.ci/judges')
  .split('\n')
  .filter((line) => /^[a-z]/.test(line))
  .map((line) => line.split(' '))

test('each path of .ci/judges exists', () => {
  const env = { ...process.env, GIT_GLOB_PATHSPECS: '1' }
  const paths = new Set(steps.flatMap(([, ...rest]) => rest))
  // Fails for a path that matches no file.
  const files = execFileSync('git', ['ls-files', '--error-unmatch', ...paths], { cwd: root, env, encoding: 'utf8' })
  expect(files.length).toBeGreaterThan(0)
})

test('.ci/run runs each step of .ci/judges, and each judge is one', () => {
  const names = steps.map(([name]) => name)
  expect(names).toEqual(expect.arrayContaining(readdirSync(join(root, 'test/judges'))))
  for (const name of names) expect(textOf('.ci/run'), name).toContain(name)
})
