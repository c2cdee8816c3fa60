import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { licensesIn } from '../clients/cli/build.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = join(root, 'infra/clients/github-action')

/** `@actions/core` imports an HTTP client and a shell for functions that the action does not call: they stay out. */
const unusedParts: Plugin = {
  name: 'unused-parts',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^@actions\/(?:exec|http-client)/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolving') return undefined
      const { importer, kind, resolveDir } = from
      return { ...(await resolve(path, { importer, kind, resolveDir, pluginData: 'resolving' })), sideEffects: false }
    })
  },
}

/** Builds the action into a folder: its description, one bundled file, and the licenses of its dependencies. */
export const buildAction = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['infra/clients/github-action/src/main.ts'],
    outfile: join(folder, 'dist/index.js'),
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    plugins: [unusedParts],
    logLevel: 'error',
  })
  await writeFile(join(folder, 'NOTICE'), `The action contains the packages below.\n\n${licensesIn(metafile)}`)
  for (const name of ['action.yml', 'README.md']) await cp(join(own, name), join(folder, name))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  // Whatever the package around it says, the file is a module.
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ private: true, type: 'module' })}\n`)
}

if (import.meta.main) {
  const folder = join(root, 'dist-clients/github-action')
  await buildAction(folder)
  console.log(`GitHub Action: ${folder}`)
}
