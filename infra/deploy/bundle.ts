import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild'
import { everyRoute, workerTable } from '../../functions/routes.ts'
import { writeFiles } from '../openapi/files.ts'
import { slim } from './slim/plugin.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of the bundles, one subfolder per function. */
export const bundleFolder = join(root, 'dist')

/** The handler of every function: its name and its file. */
export const handlers: readonly { name: string; file: string }[] = [...everyRoute, ...workerTable].map(
  ({ name, entry }) => ({
    name,
    file: `functions/${entry}.ts`,
  }),
)

/** Workers with the image library start it in a separate process, from a file next to their bundle. */
const imageProgram = 'shared/media/convert/image-program.ts'
const imagePrograms = workerTable
  .filter(({ worker: { definition } }) => 'layers' in definition && definition.layers?.includes('sharp'))
  .map(({ name }) => ({ in: imageProgram, out: `${name}/image-program` }))

const readers = everyRoute.filter(({ endpoint }) => endpoint.contract.needs.includes('files')).map(({ name }) => name)

const write = async (folder: string, { path, contents }: OutputFile) => {
  // Source maps are not deployed: stacks are mapped offline.
  const name = [basename(dirname(path)), basename(path, '.cjs.map')].join('-').replace(/-index$/, '')
  const target = path.endsWith('.map') ? join(folder, 'maps', `${name}.cjs.map`) : path
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, contents)
}

/** How everything that is deployed is bundled. */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // The ES modules of a package are tree-shaken, its CommonJS is not.
  mainFields: ['module', 'main'],
  // Native code: it is deployed as a layer (infra/deploy/layers).
  external: ['sharp'],
  // A dynamic import of a built-in reads all its exports and with them loads undici, 12 ms; require does not.
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  logLevel: 'warning',
  // ES modules and CommonJS use different names for the path of the current file.
  define: { 'import.meta.filename': '__filename' },
  plugins: [slim()],
} satisfies BuildOptions

/** Writes the files that routes serve, and puts the files that a bundle's code names next to it. */
const copyFiles = async (folder: string): Promise<void> => {
  // Complete for the local service, whose functions have one environment (infra/local/service/files.ts).
  const all = join(folder, 'files')
  await writeFiles(all)
  const names = await readdir(all)
  for (const reader of readers) {
    const code = await readFile(join(folder, reader, 'index.cjs'), 'utf8')
    const own = names.filter((name) => code.includes(name))
    await Promise.all(own.map((name) => copyFile(join(all, name), join(folder, reader, name))))
  }
}

export interface BundleOptions {
  folder?: string
  /** Creates the source maps, which are larger than the bundles and take most of the time. */
  withMaps?: boolean
}

/** Bundles every function into `<folder>/<name>/index.cjs`, and writes their contents to `<folder>/metafile.json`. */
export const bundle = async ({ folder = bundleFolder, withMaps = false }: BundleOptions = {}): Promise<Metafile> => {
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    entryPoints: [...handlers.map(({ name, file }) => ({ in: file, out: `${name}/index` })), ...imagePrograms],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    // A map refers to lines of the repository, which has their text.
    ...(withMaps ? { sourcemap: 'external', sourcesContent: false } : {}),
    metafile: true,
    write: false,
  })
  await rm(folder, { recursive: true, force: true })
  await Promise.all(outputFiles.map((file) => write(folder, file)))
  await copyFiles(folder)
  await writeFile(join(folder, 'metafile.json'), JSON.stringify(metafile))
  return metafile
}

/** Bundles all functions into one file, for a machine that runs them all: `<folder>/index.cjs`, with the files of routes. */
export const bundleTogether = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await build({
    ...bundleOptions,
    entryPoints: [
      { in: 'functions/all.ts', out: 'index' },
      { in: imageProgram, out: 'image-program' },
    ],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
  })
  await writeFiles(join(folder, 'files'))
}

if (import.meta.main) await bundle({ withMaps: process.argv.includes('--maps') })
