import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { version } from '../../shared/version.ts'
import { manifestOf } from '../clients/javascript/build/manifest.ts'
import { operationsSource } from '../clients/javascript/build/operations.ts'
import { referenceMarkdown } from '../clients/javascript/build/reference.ts'
import { typesSource } from '../clients/javascript/build/types.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const own = join(root, 'infra/clients/javascript')

/** The options of the compiler for the package: any bundler and runtime of the last years reads the result. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  rootDir: 'src',
  outDir: 'dist',
  skipLibCheck: true,
}

/** Builds the package into a folder: JavaScript modules with their types, and the reference. */
export const buildPackage = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await cp(join(own, 'src'), join(folder, 'src'), { recursive: true })
  await writeFile(join(folder, 'src/api.ts'), typesSource())
  await writeFile(join(folder, 'src/operations.ts'), operationsSource())
  await writeFile(join(folder, 'package.json'), await manifestOf('infra/clients/javascript'))
  await cp(join(own, 'README.md'), join(folder, 'README.md'))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  await writeFile(join(folder, 'REFERENCE.md'), referenceMarkdown())
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout, message }) => {
    throw new Error(`the client does not compile:\n${stdout || message}`)
  })
  await rm(join(folder, 'src'), { recursive: true })
  await rm(join(folder, 'tsconfig.json'))
}

/** Packs a built package as `npm publish` would, without a network, and returns the path of the tarball. */
export const packPackage = async (folder: string, into: string): Promise<string> => {
  await mkdir(into, { recursive: true })
  const { stdout } = await run('npm', [
    'pack',
    folder,
    '--pack-destination',
    into,
    '--offline',
    '--ignore-scripts',
    '--silent',
  ])
  return join(into, stdout.trim())
}

if (import.meta.main) {
  const operations = join(own, 'src/operations.ts')
  // A file that is current stays untouched: another process may read it.
  if ((await readFile(operations, 'utf8')) !== operationsSource()) await writeFile(operations, operationsSource())
  // npm runs scripts in the folder of package.json.
  const into = resolve('dist-clients/javascript')
  await buildPackage(join(into, 'package'))
  const tarball = await packPackage(join(into, 'package'), into)
  console.log(`social-publishing-client ${version}: ${tarball}`)
}
