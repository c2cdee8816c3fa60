import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../../shared/version.ts'
import { bundleCli } from '../clients/cli/build.mjs'
import { manifestOf } from '../clients/javascript/build/manifest.ts'
import { packPackage } from './client.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = join(root, 'infra/clients/cli')

/** Builds the package into a folder: one bundled file, and the licenses of its dependencies. */
export const buildCli = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const licenses = await bundleCli(join(folder, 'social.mjs'))
  await chmod(join(folder, 'social.mjs'), 0o755)
  await writeFile(join(folder, 'NOTICE'), `This package contains the packages below.\n\n${licenses}`)
  await writeFile(join(folder, 'package.json'), await manifestOf('infra/clients/cli'))
  await cp(join(own, 'README.md'), join(folder, 'README.md'))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) {
  const into = join(root, 'dist-clients/cli')
  await buildCli(join(into, 'package'))
  const tarball = await packPackage(join(into, 'package'), into)
  console.log(`social-publishing-cli ${version}: ${tarball}`)
}
