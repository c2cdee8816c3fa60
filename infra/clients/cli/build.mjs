// Plain JavaScript: it runs on the machine's Node, which may not support type stripping.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The folders of the packages whose code a bundle contains. */
const packagesIn = ({ outputs }) =>
  [
    ...new Set(
      Object.values(outputs)
        .flatMap(({ inputs }) => Object.entries(inputs))
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]),
    ),
  ]
    .filter((folder) => folder !== undefined)
    .sort()

const licenseOf = (path) => {
  const folder = join(root, path)
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each))
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : license
  return `${name} ${version} (${license})\n\n${text}\n`
}

/** The licenses of the packages in a bundle that was made in the folder of the repository. */
export const licensesIn = (metafile) => packagesIn(metafile).map(licenseOf).join('\n---\n\n')

/** Bundles the command line into one file for Node 20 or newer, and returns the licenses of the packages inside. */
export const bundleCli = async (outfile) => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['infra/clients/cli/src/main.ts'],
    outfile,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // commander is CommonJS.
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire } from "node:module";const require = createRequire(import.meta.url);',
    },
    logLevel: 'error',
  })
  return licensesIn(metafile)
}
