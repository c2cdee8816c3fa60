import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCli } from '../../infra/commands/cli.ts'
import { packPackage } from '../../infra/commands/client.ts'

const run = promisify(execFile)

let folder: string
let installed: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'social-package-'))
  await buildCli(join(folder, 'built'))
  const tarball = await packPackage(join(folder, 'built'), folder)
  // As npm installs it: a package without dependencies is unpacked, and its bin is linked.
  await run('npm', [
    'install',
    '--global',
    '--prefix',
    join(folder, 'prefix'),
    '--offline',
    '--ignore-scripts',
    tarball,
  ])
  installed = join(folder, 'prefix/lib/node_modules/social-publishing-cli')
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the tarball installs the command, without a dependency', async () => {
  const { stdout } = await run(join(folder, 'prefix/bin/social'), ['--version'])
  const { version, dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  expect([stdout.trim(), dependencies]).toEqual([version, undefined])
  const { stdout: help } = await run(join(folder, 'prefix/bin/social'), ['post', '--help'])
  expect(help).toContain('social post')
})

test('it has the licenses of all that is inside, and weighs at most 120 KB compressed', async () => {
  const notice = await readFile(join(installed, 'NOTICE'), 'utf8')
  for (const name of ['chrono-node', 'commander', 'csv-parse', 'zod']) {
    expect(notice).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)\\n\\n`, 'm'))
  }
  const program = join(installed, 'social.mjs')
  expect((await stat(program)).mode & 0o111).not.toBe(0)
  expect(gzipSync(await readFile(program)).length).toBeLessThan(120_000)
})
