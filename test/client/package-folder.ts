import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildPackage, packPackage } from '../../infra/commands/client.ts'

const run = promisify(execFile)

/** A folder in which the tarball of the package is installed, as in a project that uses it. */
export const installPackage = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-package-'))
  await buildPackage(join(folder, 'built'))
  const tarball = await packPackage(join(folder, 'built'), folder)
  const installed = join(folder, 'node_modules/social-publishing-client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  const project = { type: 'module', dependencies: { 'social-publishing-client': '*' } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(project))
  await rm(join(folder, 'built'), { recursive: true })
  return { folder, installed, tarball, remove: () => rm(folder, { recursive: true, force: true }) }
}
