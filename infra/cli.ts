import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleCli } from './cli/build.mjs'
import { packPackage } from './client.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const own = join(root, 'infra/cli')

/** Builds the package into a folder: one file with everything inside, and the licenses of what is inside. */
export const buildCli = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const licenses = await bundleCli(join(folder, 'social.mjs'))
  await chmod(join(folder, 'social.mjs'), 0o755)
  await writeFile(join(folder, 'NOTICE'), `This package contains the packages below.\n\n${licenses}`)
  for (const name of ['package.json', 'README.md']) await cp(join(own, name), join(folder, name))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) {
  const into = join(root, 'dist-clients/cli')
  await buildCli(join(into, 'package'))
  const tarball = await packPackage(join(into, 'package'), into)
  const { version } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8'))
  console.log(`social-publishing-cli ${version}: ${tarball}`)
}
