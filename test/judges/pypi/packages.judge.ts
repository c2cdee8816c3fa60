import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../../shared/version.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, '../../../infra/commands/publish.ts')

let folder: string
let distributions: string[]
const inVenv = (...args: string[]) => run(join(folder, 'dist-clients/python-venv/bin/python'), args, { cwd: folder })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pypi-'))
  const repository = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'ann/social' }
  const env = { ...process.env, ...repository }
  await run(process.execPath, [script, `v${version}`, 'pypi'], { cwd: folder, env })
  const built = join(folder, 'dist-clients/python-distributions')
  distributions = (await readdir(built)).map((name) => join(built, name))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the client is built as a wheel and as sources, which PyPI accepts', async () => {
  expect(distributions.map((path) => path.replace(/^.*\/social_publishing_client-/, ''))).toEqual([
    `${version}-py3-none-any.whl`,
    `${version}.tar.gz`,
  ])
  await inVenv('-m', 'pip', 'install', '--quiet', 'twine==6.2.0')
  const { stdout } = await inVenv('-m', 'twine', 'check', '--strict', ...distributions)
  expect(stdout.match(/PASSED/g)).toHaveLength(2)
})

test('both install, and have the version', async () => {
  for (const distribution of distributions) {
    await inVenv('-m', 'pip', 'install', '--quiet', '--force-reinstall', distribution)
    const { stdout } = await inVenv('-c', 'import social_publishing as it; print(it.__version__, it.Client.__name__)')
    expect(stdout).toBe(`${version} Client\n`)
  }
})
