import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

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

/** Runs `tested` of `.ci/run` with a command that fails so many tests at first, and so many when it runs again. */
const runTested = (atFirst: number, again: number) => {
  const script = `
    flaky="$(mktemp)" ran="$(mktemp)"
    eval "$(sed -n '/^tested() {/,/^}/p' .ci/run)"
    command() {
      local failures=${atFirst}
      [ ! -s "$ran" ] || failures=${again}
      echo "$*" >>"$ran"
      for ((n = 0; n < failures; n += 1)); do printf 'a.test.ts\\tname %s\\n' "$n" >>"$FAILED_TESTS"; done
      [ "$failures" = 0 ]
    }
    rc=0
    tested command given >/dev/null || rc=$?
    echo "$rc"; cat "$ran"; echo "flaky $(wc -l <"$flaky")"`
  return execFileSync('bash', ['-c', script], { cwd: root, encoding: 'utf8' }).trim().split('\n')
}

test.each<[what: string, atFirst: number, again: number, outcome: readonly string[]]>([
  ['passing tests run once', 0, 0, ['0', 'given', 'flaky 0']],
  ['two tests that pass in their file alone are flaky', 2, 0, ['0', 'given', 'given a.test.ts', 'flaky 2']],
  ['a test that fails again fails the run', 1, 1, ['1', 'given', 'given a.test.ts', 'flaky 0']],
  ['three failures are not repeated', 3, 0, ['1', 'given', 'flaky 0']],
])('%s', (_, atFirst, again, outcome) => {
  expect(runTested(atFirst, again)).toEqual(outcome)
})

test('a test is flaky again if one of the last nine runs names it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'runs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, '.ci'))
  const runs = Array.from({ length: 11 }, (_, n) => `2026-11-29 abc passed\n  a.test.ts > in run ${n}\n`)
  writeFileSync(join(folder, '.ci/runs'), runs.join(''))
  const script = `
    eval "$(sed -n '/^is_again_flaky() {/,/^}/p' ${join(root, '.ci/run')})"
    for n in 0 1 2 10 11; do is_again_flaky "a.test.ts > in run $n" && echo "$n again" || echo "$n first"; done`
  const output = execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' }).trim().split('\n')
  expect(output).toEqual(['0 first', '1 first', '2 again', '10 again', '11 first'])
})
