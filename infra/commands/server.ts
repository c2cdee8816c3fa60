import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { bundleOptions } from '../deploy/bundle.ts'
import { writeServer } from '../deploy/server.ts'

const root = join(import.meta.dirname, '../..')

/** The image library, which is native code and stays a package. */
const packages = ['sharp', '@img', 'detect-libc', 'semver']

/** Writes `npm run serve` as a folder that needs Node alone: no packages, no sources, and nothing to build at the start. */
const folder = resolve(process.argv[2] ?? join(root, 'dist-server'))
await writeServer(folder)
await build({
  ...bundleOptions,
  entryPoints: [
    { in: 'infra/local/serve/packaged.ts', out: 'serve' },
    { in: 'infra/commands/operator.ts', out: 'operator' },
    { in: 'infra/local/service/host-program.ts', out: 'host-program' },
  ],
  // What only `npm start` and tests load.
  external: [...bundleOptions.external, '../../../functions/all.ts', '../../openapi/files.ts'],
  define: { ...bundleOptions.define, 'import.meta.dirname': '__dirname', 'import.meta.url': '__filename' },
  outdir: folder,
  outExtension: { '.js': '.cjs' },
})
for (const name of packages)
  cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
for (const name of ['LICENSE', 'NOTICE']) cpSync(join(root, name), join(folder, name))
process.stdout.write(`${folder} is complete: node --max-semi-space-size=16 ${join(folder, 'serve.cjs')}\n`)
