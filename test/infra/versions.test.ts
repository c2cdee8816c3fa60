import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { manifestOf } from '../../infra/clients/javascript/build/manifest.ts'
import { buildPythonPackage } from '../../infra/commands/client-python.ts'
import { openApiDocument } from '../../infra/openapi/document.ts'
import { agentOf } from '../../shared/platforms/reddit/api.ts'
import { sign } from '../webhooks/vectors.ts'

const root = join(import.meta.dirname, '../..')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

/** As the workflow that publishes has them. */
const inWorkflow = (server: string, name: string) => {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env
  Object.assign(process.env, { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name })
  onTestFinished(() => {
    for (const [key, value] of Object.entries({ GITHUB_SERVER_URL, GITHUB_REPOSITORY })) {
      if (value === undefined) delete process.env[key]
      else process.env[key] = value
    }
  })
}

test.each([
  'infra/clients/javascript',
  'infra/clients/cli',
  'infra/clients/n8n',
])('%s is published with the version and the pages of the repository', async (path) => {
  inWorkflow('https://git.example.com', 'ann/social')
  expect(JSON.parse(await manifestOf(path))).toMatchObject({
    version,
    license: 'Apache-2.0',
    repository: { type: 'git', url: 'git+https://git.example.com/ann/social.git', directory: path },
    homepage: `https://git.example.com/ann/social/tree/main/${path}#readme`,
    bugs: { url: 'https://git.example.com/ann/social/issues' },
    changelog: 'https://git.example.com/ann/social/blob/main/CHANGELOG.md',
    publishConfig: { access: 'public', provenance: true },
  })
})

test('the Python package has the version and the pages as well', async () => {
  inWorkflow('https://git.example.com', 'ann/social')
  const folder = await mkdtemp(join(tmpdir(), 'versions-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await buildPythonPackage(folder)
  const project = await readFile(join(folder, 'pyproject.toml'), 'utf8')
  expect(project).toContain(`\nversion = "${version}"\n`)
  expect(project).toContain(
    [
      '[project.urls]',
      'Homepage = "https://git.example.com/ann/social/tree/main/infra/clients/python#readme"',
      'Repository = "https://git.example.com/ann/social"',
      'Issues = "https://git.example.com/ann/social/issues"',
      'Changelog = "https://git.example.com/ann/social/blob/main/CHANGELOG.md"',
    ].join('\n'),
  )
  expect(await readFile(join(folder, 'social_publishing/_version.py'), 'utf8')).toBe(`__version__ = "${version}"\n`)
})

test('the document, deliveries, and calls of platforms name the same version', () => {
  expect(openApiDocument().info.version).toBe(version)
  const headers = sign({ secret: 'whsec_AAAA', previous: [], eventId: 'evt_1', timestamp: 1 }, '{}')
  expect(headers['User-Agent']).toBe(`Service-Webhooks/${version}`)
  expect(agentOf({ clientId: 'id', clientSecret: 's', redditUser: 'ann' })).toBe(`server:id:${version} (by /u/ann)`)
})

test('only package.json, its lockfile, and the changelog contain the version', () => {
  // A migration says what an older release has written.
  const args = [
    'grep',
    '-lFw',
    version,
    '--',
    'functions',
    'shared',
    'infra',
    'README.md',
    'package.json',
    ':!infra/deploy/operator/migrations.ts',
  ]
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  expect(files).toEqual(['package.json'])
})
