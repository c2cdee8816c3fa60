import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const deploy = join(import.meta.dirname, '../../infra/commands/deploy.ts')

let folder: string

/** A line with what was called, with which arguments, and what the tree has. */
const record = (name: string) => `require('node:fs').appendFileSync(process.env.RECORD, JSON.stringify({
  name: '${name}', args: process.argv.slice(2), release: require('node:fs').readFileSync('release', 'utf8'),
  settings: require('node:fs').existsSync('infra/deploy/stages/prod.json'), newer: process.env.SETTINGS_OF_NEWER_RELEASE, tree: process.cwd(),
}) + '\\n'); process.exit(Number(process.env['FAIL_${name.toUpperCase()}'] ?? 0))`

const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()

/** A repository with the deployment of this one, whose other commands only record their calls. */
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'social-release-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'infra/deploy/stages'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  cpSync(deploy, join(folder, 'infra/commands/deploy.ts'))
  const scripts = {
    deploy: `"${process.execPath}" bin/deploy.cjs`,
    build: `"${process.execPath}" bin/build.cjs`,
    smoke: `"${process.execPath}" bin/smoke.cjs`,
  }
  const files = {
    'package.json': JSON.stringify({ name: 'a', version: '1.0.0', scripts }),
    'package-lock.json': JSON.stringify({ name: 'a', version: '1.0.0', lockfileVersion: 3, packages: {} }),
    ...Object.fromEntries(['deploy', 'build', 'smoke'].map((name) => [`bin/${name}.cjs`, record(name)])),
    '.gitignore': 'infra/deploy/stages/\nrecord\n',
    release: 'old',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  git('init', '--quiet')
  git('config', 'user.email', 'a@example.com')
  git('config', 'user.name', 'A')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'feat: a')
  git('tag', 'v1.0.0')
  writeFileSync(join(folder, 'release'), 'new, not committed')
  writeFileSync(join(folder, 'infra/deploy/stages/prod.json'), '{}')
})

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'infra/commands/deploy.ts'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, RECORD: join(folder, 'record'), ...env },
  })
  const calls = existsSync(join(folder, 'record'))
    ? readFileSync(join(folder, 'record'), 'utf8').trim().split('\n')
    : []
  return { status, output: stdout + stderr, calls: calls.map((line) => JSON.parse(line)) }
}

const toTag = ['--to', 'v1.0.0', '--context', 'stage=prod', '--smoke', 'https://api.example.com']

test('an earlier release is deployed from its own tree with the current settings, and tested', () => {
  const { status, calls } = run(toTag)
  expect(calls).toMatchObject([
    { name: 'deploy', args: ['--context', 'stage=prod'], release: 'old', settings: true, newer: 'yes' },
    { name: 'smoke', args: ['--base-url', 'https://api.example.com'], release: 'old' },
  ])
  expect(status).toBe(0)
  expect(calls[0].tree).not.toBe(folder)
  expect(existsSync(calls[0].tree)).toBe(false)
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(readFileSync(join(folder, 'release'), 'utf8')).toBe('new, not committed')
})

test('a deployment that fails is not tried, and its tree goes', () => {
  const { status, output, calls } = run(toTag, { FAIL_DEPLOY: '3' })
  expect(calls.map(({ name }) => name)).toEqual(['deploy'])
  expect([status, output]).toEqual([1, expect.stringContaining('npm run deploy -- --context stage=prod failed in ')])
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
})

test('an option without its value deploys nothing', () => {
  for (const args of [['--to'], ['--to', '--context', 'stage=prod'], ['--smoke']]) {
    expect(run(args)).toMatchObject({ status: 1, output: expect.stringContaining(' takes a value'), calls: [] })
  }
})

test('a tag that is not there is an error, and so is a build that fails', () => {
  expect(run(['--to', 'v9.9.9'])).toMatchObject({ status: 1, calls: [] })
  expect(run([], { FAIL_BUILD: '1' })).toMatchObject({
    status: 1,
    calls: [{ name: 'build', release: 'new, not committed' }],
  })
})
