import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { faultsOfFiles, faultsOfManifest, faultsOfMetadata, publish } from '../../infra/commands/publish.ts'
import { version } from '../../shared/version.ts'

const root = join(import.meta.dirname, '../..')
const script = join(root, 'infra/commands/publish.ts')

/** npm as it is, but for what asks or changes the registry: that has the command line, and refuses the n8n node. */
const npm = `#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in
  "view social-publishing-cli@"*) echo ${version} ;;
  view*) exit 1 ;;
  publish*n8n*) exit 1 ;;
  publish*) ;;
  *) PATH="$REST" exec npm "$@" ;;
esac
`

/** Runs the script in its own folder; answers what it said, and what it asked the registry. */
const run = (...args: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'publish-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 })
  const calls = join(folder, 'calls')
  const { PATH = '', ...others } = process.env
  const repository = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'ann/social' }
  const env = { ...others, ...repository, CALLS: calls, REST: PATH, PATH: `${folder}:${PATH}` }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  const lines = readFileSync(calls, 'utf8').replaceAll(join(folder, 'dist-clients/'), '').split('\n')
  return { status, said: stdout + stderr, calls: lines.filter((line) => /^(?:view|publish) /.test(line)) }
}

test('a dry run builds and checks all packages for npm, and publishes none', { timeout: 60_000 }, () => {
  const { status, said, calls } = run(`v${version}`, 'npm', '--dry-run')
  expect([status, calls]).toEqual([0, []])
  const tarballs = said.match(/[\w-]+(?=-\d+\.\d+\.\d+\.tgz$)/gm)
  expect(tarballs).toEqual(['social-publishing-client', 'social-publishing-cli', 'n8n-nodes-social-publishing'])
  expect(said).toContain('\n  dist/index.js\n')
})

test('a tag publishes what npm does not have, with a provenance, and fails with npm', { timeout: 60_000 }, () => {
  const options = '--provenance --access public --ignore-scripts'
  const { status, said, calls } = run(`v${version}`, 'npm')
  expect(calls).toEqual([
    `view social-publishing-client@${version} version`,
    `publish javascript/social-publishing-client-${version}.tgz ${options}`,
    `view social-publishing-cli@${version} version`,
    `view n8n-nodes-social-publishing@${version} version`,
    `publish n8n/n8n-nodes-social-publishing-${version}.tgz ${options}`,
  ])
  expect([status, said]).toEqual([1, expect.stringContaining('npm did not publish n8n-nodes-social-publishing')])
})

test.each([
  [['v99.0.0', 'npm'], 'the tag v99.0.0 is not'],
  [[], 'the tag undefined is not'],
  [[`v${version}`, 'npm', '--dry'], 'usage'],
  [[`v${version}`], 'usage'],
])('%j publishes nothing', async (args, reason) => {
  await expect(publish(args)).rejects.toThrow(reason)
})

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test.each<[what: string, files: Record<string, string>, faults: string[]]>([
  ['what belongs there', { LICENSE: 'free', 'dist/a.js': 'export {}' }, []],
  ['a map', { LICENSE: '', 'dist/a.js': '', 'dist/a.js.map': '' }, ['dist/a.js.map is unknown']],
  ['nothing of a kind', { 'dist/a.js': '' }, ['LICENSE is missing']],
  [
    'a link to a map',
    { LICENSE: '', 'dist/a.js': '//# sourceMappingURL=a.js.map' },
    ['dist/a.js has a source map or a secret'],
  ],
  ['a secret', { LICENSE: secret, 'dist/a.js': '' }, ['LICENSE has a source map or a secret']],
])('a package with %s', (_, files, faults) => {
  expect(faultsOfFiles(new Map(Object.entries(files)), ['LICENSE', 'dist/*.js'])).toEqual(faults)
})

test('a package names its version, its license, and its repository, and has no scripts', () => {
  const repository = { url: 'git+https://git.example.com/ann/social.git', directory: 'infra/clients/cli' }
  const manifest = { version, license: 'Apache-2.0', repository }
  expect(faultsOfManifest(JSON.stringify(manifest))).toEqual([])
  const wrong = { version: '99.0.0', license: 'MIT', scripts: { postinstall: 'true' } }
  expect(faultsOfManifest(JSON.stringify(wrong))).toEqual(['version 99.0.0', 'license MIT', 'no repository', 'scripts'])
  const metadata = `Name: a\nVersion: ${version}\nLicense-Expression: Apache-2.0\nProject-URL: Repository, https://git.example.com\n`
  expect(faultsOfMetadata(metadata)).toEqual([])
  expect(faultsOfMetadata('Name: a\n')).toHaveLength(3)
})

test('the workflow publishes by this script and with the trust of the registries, without a token', () => {
  const workflow = readFileSync(join(root, '.github/workflows/publish.yml'), 'utf8')
  for (const registry of ['npm', 'pypi'])
    expect(workflow).toContain(`- run: npm run publish-packages -- "$GITHUB_REF_NAME" ${registry}\n`)
  expect(workflow).toContain('id-token: write')
  expect(workflow).not.toMatch(/secrets\.|TOKEN/)
})
