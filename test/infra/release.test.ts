import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const changelog =
  '# Changelog\n\n## Unreleased\n\n### Added\n- Something.\n\n## 0.1.0 – 2026-11-23\n\n### Added\n- All.\n'

let folder: string

const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const commit = (subject: string, date = '2030-01-01T00:00:00Z') =>
  execFileSync('git', ['commit', '--quiet', '--all', '--allow-empty', '--message', subject], {
    cwd: folder,
    env: { ...process.env, GIT_COMMITTER_DATE: date },
  })
const run = (script: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}` }
}
const release = (version: string) => run('infra/commands/release.ts', version)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'social-release-'))
  const made = folder
  onTestFinished(() => rmSync(made, { recursive: true }))
  git('init', '--quiet')
  git('config', 'user.name', 'Ann')
  git('config', 'user.email', 'ann@example.com')
  put('CHANGELOG.md', changelog)
  put('package.json', '{\n  "name": "it",\n  "version": "0.1.0"\n}\n')
  put(
    'package-lock.json',
    '{\n  "version": "0.1.0",\n  "packages": {\n    "": {\n      "version": "0.1.0"\n    }\n  }\n}\n',
  )
  git('add', '.')
  commit('feat: all')
})

test('a release moves what is unreleased under its version and date, in one commit with a tag', () => {
  expect(release('0.2.0')).toMatchObject({ status: 0 })
  const date = new Date().toISOString().slice(0, 10)
  expect(read('CHANGELOG.md')).toBe(changelog.replace('Unreleased\n', `Unreleased\n\n## 0.2.0 – ${date}\n`))
  expect(read('package.json')).toBe('{\n  "name": "it",\n  "version": "0.2.0"\n}\n')
  expect(JSON.parse(read('package-lock.json'))).toEqual({ version: '0.2.0', packages: { '': { version: '0.2.0' } } })
  expect(git('status', '--porcelain')).toBe('')
  expect(git('log', '-1', '--format=%s %D')).toContain('chore(release): 0.2.0')
  expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'))
})

const withChangelog = (text: string) => {
  put('CHANGELOG.md', text)
  commit('docs: changelog')
}
const written = (date: string) => `# Changelog\n\n## Unreleased\n\n## 0.1.0 – ${date}\n\n### Added\n- All.\n`

test('a version that the changelog and the package have already is tagged, with the date of the day', () => {
  const date = new Date().toISOString().slice(0, 10)
  withChangelog(written('2026-11-23'))
  expect(release('0.1.0')).toMatchObject({ status: 0, output: expect.stringMatching(/^committed and tagged v0.1.0;/) })
  expect(read('CHANGELOG.md')).toBe(written(date))
  git('tag', '--delete', 'v0.1.0')
  const before = git('rev-parse', 'HEAD')
  expect(release('0.1.0')).toMatchObject({ status: 0, output: expect.stringMatching(/^tagged v0.1.0;/) })
  expect(git('rev-parse', 'HEAD', 'v0.1.0^{commit}').split('\n')).toEqual([before, before])
})

test('the changelog of this repository takes the next entry, and its release', () => {
  const entry = '\n### Fixed\n- One.\n'
  withChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8').replace('## Unreleased\n', `$&${entry}`))
  expect(release('99.0.0')).toMatchObject({ status: 0 })
  expect(read('CHANGELOG.md')).toMatch(/\n## Unreleased\n\n## 99\.0\.0 – [\d-]+\n\n### Fixed\n- One\.\n\n##/)
})

test.each([
  ['a version that is none', '0.2', () => {}, 'usage'],
  ['a changed file', '0.2.0', () => put('package.json', '{}'), 'commit or discard'],
  ['a tag that exists', '0.2.0', () => git('tag', 'v0.2.0'), 'the tag v0.2.0 exists'],
  ['nothing unreleased', '0.2.0', () => withChangelog(written('2026-11-23')), 'nothing under'],
  ['entries above a version that is written', '0.1.0', () => {}, 'entries above'],
] as const)('a release is refused for %s, and changes nothing', (_, version, prepare, reason) => {
  prepare()
  const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]
  const { status, output } = release(version)
  expect([status, output]).toEqual([1, expect.stringContaining(reason)])
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual(before)
})

test('subjects of commits are conventional and have at most 72 characters', () => {
  commit(`an essay about something, which began before there was a rule`, '2026-11-24T23:59:59Z')
  commit(`fix(webhooks)!: ${'x'.repeat(56)}`)
  expect(run('infra/commands/commits.ts')).toEqual({ status: 0, output: '2 subjects checked, 0 wrong\n' })
  commit(`fix(webhooks): ${'x'.repeat(58)}`)
  commit('A sentence')
  const { status, output } = run('infra/commands/commits.ts')
  expect(status).toBe(1)
  expect(output).toMatch(/has 73 characters, 72 at most: fix/)
  expect(output).toMatch(/is no Conventional Commit, such as "fix\(webhooks\): …": A sentence/)
})
