import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licensesIn } from '../clients/cli/build.mjs'
import { manifestOf } from '../clients/javascript/build/manifest.ts'
import { packPackage } from './client.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = join(root, 'infra/clients/n8n')

/** Builds the package into a folder: one file for each node and kind of credentials, with everything inside but n8n itself. */
export const buildNodes = async (folder: string): Promise<void> => {
  // The sources are modules, and the nodes are not.
  const { type: _type, ...manifest } = JSON.parse(await manifestOf('infra/clients/n8n'))
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'dist'), { recursive: true })
  const files: string[] = [...manifest.n8n.nodes, ...manifest.n8n.credentials]
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files.map((file) => file.replace(/^dist\/(.+)\.js$/, 'infra/clients/n8n/src/$1.ts')),
    outdir: join(folder, 'dist'),
    bundle: true,
    metafile: true,
    platform: 'node',
    // n8n loads nodes with require.
    format: 'cjs',
    target: 'node20',
    external: ['n8n-workflow'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'error',
  })
  const licenses = licensesIn(metafile)
  if (licenses !== '')
    await writeFile(join(folder, 'NOTICE'), `This package contains the packages below.\n\n${licenses}`)
  await cp(join(own, 'src/social-publishing.svg'), join(folder, 'dist/social-publishing.svg'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await cp(join(own, 'README.md'), join(folder, 'README.md'))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) {
  const into = join(root, 'dist-clients/n8n')
  await buildNodes(join(into, 'package'))
  console.log(`n8n-nodes-social-publishing: ${await packPackage(join(into, 'package'), into)}`)
}
