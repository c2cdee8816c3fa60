#!/usr/bin/env node
// `npx social` in the repository: bundles the command line if its sources are newer than the last bundle, and runs it.
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const bundle = join(root, 'dist-clients/cli/social.mjs')

const newest = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (latest, entry) =>
      entry.isFile() ? Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs) : latest,
    0,
  )

const sources = ['infra/clients/cli', 'infra/clients/javascript/src', 'infra/clients/listen', 'shared'].map((folder) =>
  join(root, folder),
)

if (!existsSync(bundle) || statSync(bundle).mtimeMs < Math.max(...sources.map(newest))) {
  if (!existsSync(join(root, 'node_modules/esbuild'))) {
    process.stderr.write('The packages are missing. Run "npm ci" first.\n')
    process.exit(2)
  }
  const { bundleCli } = await import('./build.mjs')
  // Two terminals may do this at the same time.
  const draft = `${bundle.slice(0, -'.mjs'.length)}.${process.pid}.mjs`
  await bundleCli(draft)
  renameSync(draft, bundle)
}
await import(pathToFileURL(bundle).href)
